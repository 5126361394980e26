import { readFileSync } from 'node:fs'
import { normalizePath, type Plugin } from 'vite'
import { lineCounter } from './move/readSource.ts'
import { importedNames } from './webpackPlugin.ts'

/** Alternatives to modules that Waymark doesn't have. */
const nearest: Readonly<Record<string, string>> = {
  'next/amp': 'AMP is not supported. Remove the import.',
  'next/babel': 'Vite compiles the code. Remove the import.',
  'next/client': 'Waymark starts the app in the browser. Remove the import.',
  'next/document': 'Render <html> and <body> in app/layout.tsx.',
  'next/app': 'Use app/layout.tsx, which wraps all pages.',
  'next/jest': 'Use Vitest, which reads vite.config.ts.',
  'next/offline': 'Use navigator.onLine in a client component.',
}

/**
 * Reports imports of modules that Waymark doesn't have, with the file, the line and an alternative.
 * @param exported exports of this package, such as `./link`
 */
export function missingNamesPlugin(root: string, exported: ReadonlySet<string>): Plugin {
  const messages = new Map<string, string>()
  return {
    name: 'next-names:missing',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^next\// },
      handler(id, importer, { kind }: { readonly kind?: string }) {
        const [module = ''] = id.split('?')
        if (importer === undefined || exported.has(`.${module.slice('next'.length)}`)) return null
        if (/[\\/]node_modules[\\/]/.test(importer)) {
          // Packages catch the errors of optional `require()` and `import()` themselves.
          if (kind !== 'import-statement' || !module.startsWith('next/dist/')) return null
          return `${internalPrefix}${module}?${importedNames(importer, id).join()}`
        }
        const way =
          nearest[module.replace(/\.js$/, '')] ??
          (module.startsWith('next/dist/')
            ? "Internal modules of next don't exist here. Import from the public modules."
            : 'See the guide page “Migrate an App Router app”.')
        messages.set(
          module,
          `${placeOf(importer, module, root)}: ${module} doesn't exist in Waymark. ${way}`,
        )
        // An error in `resolveId` is lost if a different plugin is resolving the module, so `load`
        // reports it.
        return missingPrefix + module
      },
    },
    load: {
      filter: { id: new RegExp(`^(?:${missingPrefix}|${internalPrefix})`) },
      handler(id) {
        if (id.startsWith(internalPrefix)) return internalModule(id.slice(internalPrefix.length))
        this.error(
          messages.get(id.slice(missingPrefix.length)) ?? `${id} doesn't exist in Waymark.`,
        )
      },
    },
  }
}

const missingPrefix = '\0next-names:missing/'
const internalPrefix = '\0next-names:internal/'

/**
 * Returns a replacement for an internal module of Next that a package imports. Most apps don't use
 * the part of the package that needs the module, so only calls fail.
 * @param id name of the module, and the names to export
 */
function internalModule(id: string): string {
  const [module = '', names = ''] = id.split('?')
  const message = `A package uses ${module}, an internal module of next that doesn't exist in Waymark.`
  return [
    `function missing() { throw new Error(${JSON.stringify(message)}) }`,
    'export default missing',
    ...names
      .split(',')
      .filter(Boolean)
      .map((name) => `export { missing as ${name} }`),
  ].join('\n')
}

/** @returns the file's path for error messages, with the line that imports the module */
export function placeOf(importer: string, module: string, root: string): string {
  const [file = ''] = importer.split('?')
  const name = normalizePath(file).replace(`${normalizePath(root)}/`, '')
  try {
    const code = readFileSync(file, 'utf8')
    const at = code.search(new RegExp(`['"]${module.replaceAll('.', '\\.')}['"]`))
    return at === -1 ? name : `${name}:${lineCounter(code)(at)}`
  } catch {
    // A virtual module has no file, so the name has to do.
    return name
  }
}
