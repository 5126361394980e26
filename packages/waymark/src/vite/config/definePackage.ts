import type { ConfigEnv, Plugin, PluginOption } from 'vite'
import type { RuntimePackages } from '../../node/runtimePackages.ts'
import { frameworkError } from '../../shared/errors.ts'
import type { CheckBuild } from './checkBuild.ts'
import type { ClientHookName } from './clientHooks.ts'
import type { HostFeature } from './hostAdapter.ts'
import type { ClientVariants } from './variantOptions.ts'

/** An export of one of a package's modules. */
export type ModuleExport = {
  /** URL of the module: `new URL('./server.js', import.meta.url)`. */
  readonly module: URL
  /** Name under which the module exports it. */
  readonly name: string
}

/** A command that a package adds to the command line. */
export type ListedCommand = {
  /** One line for `waymark --help`, without a period. */
  readonly summary: string
  /** Module that exports a `PackageCommand` under the command's name. */
  readonly module: URL
}

/**
 * A package's parts. Each is a module that is loaded or bundled for the environment in which it
 * runs.
 */
export type PackageDescription = {
  /**
   * Exports a `CreateServerPart`, a function that is called once when the app's server starts. The
   * module is bundled only into apps that list the package.
   */
  readonly server?: ModuleExport
  /**
   * Functions that the router calls in browsers, by hook. A module loads together with the code
   * that calls its hook: `onBoot` with the first script, `onRouter` with the router.
   */
  readonly client?: { readonly [Hook in ClientHookName]?: ModuleExport }
  /**
   * Exports `renderToPipeableStream`, with the same parameters as React's function. It renders the
   * HTML of documents that are sent as a whole. Only one package of an app can have this part.
   */
  readonly documentRenderer?: ModuleExport
  /**
   * Builds the browser's code once for each variant, and chooses the variant of a page. Only one
   * package of an app can have this part, and only if the app itself has no `variants`.
   */
  readonly variants?: ClientVariants<ModuleExport>
  /**
   * Exports the texts that the package shows in browsers: a table for each language, by BCP 47 tag,
   * such as `{ en: english, de: german }`. The app's `screens.ts` chooses the languages and can
   * replace texts. Visitors get the German table only if `screens.ts` has `texts.de`, which may be
   * empty. Documents don't contain the English texts, because the code that calls
   * `readPackageTexts()` has them.
   */
  readonly texts?: ModuleExport
  /**
   * Exports a `DevtoolsPackage` of `waymark/plugin/dev`, which the dev server loads. Only one
   * package of an app can have this part.
   */
  readonly devtools?: ModuleExport
  /** Commands that the package adds to `waymark`, by name. */
  readonly commands?: Readonly<Record<string, ListedCommand>>
  /**
   * Modules of stores that several servers can share, keyed by the environment variable that
   * selects the store. Each exports a `DriverPackage` of `waymark/drivers`: `openCache` and
   * `openJournal`. Several packages can have stores if their variables differ.
   */
  readonly stores?: Readonly<Record<string, URL>>
  /**
   * Exports the `Operations` of `waymark start`: worker processes, the access log and metrics. Only
   * one package of an app can have this part.
   */
  readonly operations?: URL
  /**
   * Modules of the package that need a feature of the host, by feature. A build for a host without
   * the feature fails if the app's server code imports one of them.
   */
  readonly hostFeatures?: { readonly [Feature in HostFeature]?: readonly URL[] }
  /**
   * Looks for problems in a build, whose static pages are already rendered. This part is a function
   * and not a module, because it may need what the package's Vite plugins have seen.
   */
  readonly checkBuild?: CheckBuild
  /**
   * Options for the server part, commands and devtools of the package. They must be serializable as
   * JSON, and never leave the server.
   */
  readonly options?: object
  /**
   * Options for the hooks in browsers. They must be serializable as JSON, and every visitor can
   * read them.
   */
  readonly clientOptions?: object
}

/** A package that a configuration lists. */
export type ListedPackage = PackageDescription & {
  /** The package's name in the npm registry. */
  readonly name: string
}

/** The Vite plugin of a package. */
export type PackagePlugin = Plugin & { readonly api: { readonly waymarkPackage: DescribePackage } }
/** Describes a package, for the command that Vite runs. */
export type DescribePackage = (env: ConfigEnv) => PackageDescription

/** Name by which other plugins find `waymark()`. */
export const pluginName = 'waymark'

/**
 * Creates the Vite plugin of a package that extends Waymark. To turn the package on, an app lists
 * the plugin next to `waymark()`, in any order.
 *
 * @param name name of the package in the npm registry
 * @param describe called once each time Vite starts; `command` is `serve` in development
 */
export function definePackage(name: string, describe: DescribePackage): PackagePlugin {
  return {
    name,
    api: { waymarkPackage: describe },
    configResolved({ plugins, configFile }) {
      if (plugins.some((each) => each.name === pluginName)) return
      throw frameworkError('PACKAGE_WITHOUT_WAYMARK', {
        file: configFile ?? 'vite.config.ts',
        name,
      })
    },
  }
}

/**
 * Finds the packages that a configuration lists.
 * @param plugins as the author wrote them: nested, falsy or promises
 * @throws `PACKAGE_TWICE`, `PACKAGE_HOOK_CONFLICT`
 */
export async function readPackages(
  plugins: readonly PluginOption[],
  env: ConfigEnv,
): Promise<readonly ListedPackage[]> {
  const packages = new Map<string, ListedPackage>()
  for (const plugin of await flatten(plugins)) {
    const describe = (plugin as Partial<PackagePlugin>).api?.waymarkPackage
    if (typeof describe !== 'function') continue
    const { name } = plugin
    if (packages.has(name)) throw frameworkError('PACKAGE_TWICE', { name })
    packages.set(name, { ...describe(env), name })
  }
  const listed = [...packages.values()]
  findRuntimeModules(listed)
  return listed
}

/** True if a package has functions for browsers. */
export function hasClientHooks(packages: readonly ListedPackage[]): boolean {
  return packages.some(({ client = {} }) => Object.keys(client).length > 0)
}

/** Modules of packages that a server loads on demand. */
export type RuntimeModules = {
  readonly stores: Readonly<Record<string, URL>>
  readonly operations: URL | null
}

/**
 * @throws `PACKAGE_HOOK_CONFLICT` if two packages have `operations`, or a store for the same variable
 */
export function findRuntimeModules(packages: readonly ListedPackage[]): RuntimeModules {
  const modules = new Map<string, { readonly name: string; readonly module: URL }>()
  const add = (hook: string, name: string, module: URL) => {
    const first = modules.get(hook)
    if (first) throw frameworkError('PACKAGE_HOOK_CONFLICT', { hook, names: [first.name, name] })
    modules.set(hook, { name, module })
  }
  const all: Record<string, URL> = {}
  for (const { name, stores = {}, operations } of packages) {
    if (operations) add('operations', name, operations)
    for (const [variable, module] of Object.entries(stores)) {
      add(`stores.${variable}`, name, module)
      all[variable] = module
    }
  }
  return { stores: all, operations: modules.get('operations')?.module ?? null }
}

/** Loads the modules from the installed packages instead of from a build. */
export function importListedPackages(packages: readonly ListedPackage[]): RuntimePackages {
  const { stores, operations } = findRuntimeModules(packages)
  const loaders = Object.entries(stores).map(([variable, { href }]) => [
    variable,
    () => import(href),
  ])
  return {
    stores: Object.fromEntries(loaders),
    operations: operations && (() => import(operations.href)),
    isBuilt: false,
  }
}

async function flatten(plugins: readonly PluginOption[]): Promise<readonly Plugin[]> {
  const resolved = await Promise.all(plugins)
  const nested = resolved.map(async (plugin) => {
    if (Array.isArray(plugin)) return flatten(plugin)
    return plugin ? [plugin as Plugin] : []
  })
  return (await Promise.all(nested)).flat()
}
