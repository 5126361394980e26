import { pathToFileURL } from 'node:url'
import { normalizePath, type Plugin } from 'vite'
import { findPackage } from '../../node/appPackages.ts'
import { frameworkError } from '../../shared/errors.ts'

/** A package whose plugin compiles some imports of an app. */
type PluginPackage = {
  readonly name: string
  /** The function of its entry `vite`. */
  readonly plugin: string
  /** The imports that need it, as they are written. */
  readonly imports: RegExp
  readonly neededFor: string
}

const pluginPackages: readonly PluginPackage[] = [
  {
    name: '@waymark/image',
    plugin: 'images',
    imports: /\?image(?:&avif)?$/,
    neededFor: 'An import that ends with ?image',
  },
  { name: '@waymark/font', plugin: 'fonts', imports: /^@waymark\/font$/, neededFor: 'font()' },
]

/**
 * Loads the plugins of `@waymark/image` and `@waymark/font` from the app. Without such a package, an
 * import that needs it fails with an error that names it. They stand after `packagesPlugin`, which
 * sets anew what is left out of bundles.
 * @param root folder of the app
 */
export async function packagePlugins(root: string): Promise<Plugin[]> {
  const found = pluginPackages.map(async ({ name, plugin, imports, neededFor }) => {
    const file = findPackage(`${name}/vite`, root)
    if (file !== null) return (await import(pathToFileURL(file).href))[plugin]() as Plugin
    return failingImports(plugin, imports, () =>
      frameworkError('PACKAGE_NOT_INSTALLED', { name, neededFor }),
    )
  })
  return Promise.all([...found, movedEntriesPlugin()])
}

/** Entries that the core had once, and those that have their names now. */
const movedEntries: Readonly<Record<string, readonly string[]>> = {
  'waymark/font': ['@waymark/font'],
  'waymark/image': ['@waymark/image'],
  'waymark/image/remote': ['@waymark/image/remote'],
  'waymark/og': ['@waymark/image/og'],
  'waymark/theme': ['waymark', 'waymark/client'],
}

function movedEntriesPlugin(): Plugin {
  const imports = new RegExp(`^(?:${Object.keys(movedEntries).join('|')})$`)
  return failingImports('moved-entries', imports, (entry, importer) =>
    frameworkError('ENTRY_MOVED', { entry, importer, movedTo: movedEntries[entry] ?? [] }),
  )
}

function failingImports(
  name: string,
  imports: RegExp,
  errorOf: (source: string, importer: string) => Error,
): Plugin {
  return {
    name: `waymark:${name}`,
    enforce: 'pre',
    resolveId: {
      filter: { id: imports },
      handler(source, importer = '', options) {
        // Vite's search for packages would end without a word.
        if ('scan' in options && options.scan) return null
        throw errorOf(source, normalizePath(importer))
      },
    },
  }
}
