import { readFileSync } from 'node:fs'
import { normalizePath, type Plugin } from 'vite'
import { lineCounter } from './move/readSource.ts'

/** What stands nearest to a module that is not there. */
const nearest: Readonly<Record<string, string>> = {
  'next/amp': 'Pages are light as they are: take it out.',
  'next/babel': 'Vite compiles the code: take it out.',
  'next/client': 'The browser is started by Waymark: take it out.',
  'next/document': 'app/layout.tsx renders <html> and <body>.',
  'next/app': 'app/layout.tsx stands around all pages.',
  'next/jest': 'Use Vitest, which reads vite.config.ts.',
  'next/legacy/image': 'Use next/image.',
  'next/offline': 'Ask navigator.onLine in a client component.',
}

/**
 * Names imports of modules that are not there, with their file, their line and the nearest way.
 * @param exported of this package: `./link`
 */
export function missingNamesPlugin(root: string, exported: ReadonlySet<string>): Plugin {
  const messages = new Map<string, string>()
  return {
    name: 'next-names:missing',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^next\// },
      handler(id, importer) {
        const [module = ''] = id.split('?')
        if (importer === undefined || exported.has(`.${module.slice('next'.length)}`)) return null
        // What is optional for a package is caught there.
        if (/[\\/]node_modules[\\/]/.test(importer)) return null
        const way =
          nearest[module.replace(/\.js$/, '')] ??
          (module.startsWith('next/dist/')
            ? 'Nothing of the inside of next is: import what the package exports.'
            : 'See the guide, Migrate an App Router app.')
        messages.set(module, `${placeOf(importer, module, root)}: ${module} is not there. ${way}`)
        // An error of a module that another plugin resolves would be lost there.
        return missingPrefix + module
      },
    },
    load: {
      filter: { id: new RegExp(`^${missingPrefix}`) },
      handler(id) {
        this.error(messages.get(id.slice(missingPrefix.length)) ?? `${id} is not there.`)
      },
    },
  }
}

const missingPrefix = '\0next-names:missing/'

/** @returns the file as errors name it, with the line that imports the module */
export function placeOf(importer: string, module: string, root: string): string {
  const [file = ''] = importer.split('?')
  const name = normalizePath(file).replace(`${normalizePath(root)}/`, '')
  try {
    const code = readFileSync(file, 'utf8')
    const at = code.search(new RegExp(`['"]${module.replaceAll('.', '\\.')}['"]`))
    return at === -1 ? name : `${name}:${lineCounter(code)(at)}`
  } catch {
    // A module of a plugin's own has no file.
    return name
  }
}
