import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { manifestOf, readManifest } from './installedPackages.ts'

/** Packages that the app's configuration keeps out of the bundle. */
export type OutsideLists = {
  readonly serverExternalPackages: readonly string[]
  /** `externals` of the `webpack` function. */
  readonly webpackExternals: readonly string[]
}

/**
 * Warns about packages that aren't bundled, but import modules of `next`. Node gives them a second
 * copy of these modules, which doesn't know the request.
 * @param root of the project, absolute
 */
export function outsidePackagesPlugin(root: string, lists: OutsideLists): Plugin {
  const checked = new Set<string>()
  return {
    name: 'next-names:outside-packages',
    apply: 'build',
    applyToEnvironment: ({ name }) => name !== 'client',
    generateBundle(_options, bundle) {
      const imported = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk' ? [...output.imports, ...output.dynamicImports] : [],
      )
      for (const specifier of imported) {
        const [name = ''] = /^(?:@[^/]+\/)?[^./][^/]*/.exec(specifier) ?? []
        if (name === '' || specifier in bundle || checked.has(name)) continue
        checked.add(name)
        const nextModule = findNextImport(manifestOf(name, root))
        if (nextModule) this.environment.logger.warn(describeOutside(name, nextModule, lists))
      }
    },
  }
}

type NextImport = { readonly module: string; readonly file: string }

/**
 * Searches a package for an import of a module of `next`.
 * @param manifest absolute path of the package's `package.json`; empty if it isn't installed
 */
function findNextImport(manifest: string): NextImport | null {
  const { name, dependencies, peerDependencies } = readManifest(manifest)
  const isOurs = name === '@waymark/next' || name === 'next'
  if (isOurs || !('next' in { ...dependencies, ...peerDependencies })) return null
  const folder = path.dirname(manifest)
  for (const file of codeFilesBelow(folder)) {
    const [, module] = nextImport.exec(readFileSync(file, 'utf8')) ?? []
    if (module) return { module, file: normalizePath(path.relative(folder, file)) }
  }
  return null
}

const nextImport =
  /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](next\/(?:cache|headers|navigation|server)(?:\.js)?)["']/

function codeFilesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : codeFilesBelow(file)
    return /\.[cm]?js$/.test(entry.name) ? [file] : []
  })
}

function describeOutside(name: string, { module, file }: NextImport, lists: OutsideLists): string {
  const { serverExternalPackages, webpackExternals } = lists
  const cause =
    (serverExternalPackages.includes(name) && 'serverExternalPackages in next.config') ||
    (webpackExternals.includes(name) && 'externals in the webpack function of next.config')
  const way = cause
    ? `Remove it from ${cause}.`
    : 'Remove it from ssr.external in vite.config. If it contains native code, call next in your own code, and pass the results to the package.'
  return `${name} isn't bundled, but imports ${module} (in ${file}). Outside of the bundle, it gets a second copy of ${module}, which doesn't know the request, so its calls fail with OUTSIDE_REQUEST. ${way}`
}
