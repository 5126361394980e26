import { type FrameworkError, frameworkError } from '../shared/errors.ts'
import { installCommand } from '../shared/installCommand.ts'

/**
 * A Waymark package, and the plugin function that apps import from its `vite` entry and list in
 * their configuration.
 */
export type PackageHint = {
  readonly name: string
  readonly plugin: string
  /** Code that calls the function, as apps write it; `undefined` for a call without arguments. */
  readonly call?: string
  /** For a command: number of operands before the app's folder. */
  readonly folderAt?: number
}

const arrivals: PackageHint = { name: '@waymark/arrivals', plugin: 'arrivals' }
const devtools: PackageHint = { name: '@waymark/devtools', plugin: 'devtools' }
const live: PackageHint = { name: '@waymark/live', plugin: 'live' }
const offline: PackageHint = {
  name: '@waymark/offline',
  plugin: 'offline',
  call: "offline({ precache: ['/guide'] })",
}
const replay: PackageHint = { name: '@waymark/replay', plugin: 'replay' }
const testing: PackageHint = { name: '@waymark/testing', plugin: 'testing' }
const speedups: PackageHint = { name: '@waymark/speedups', plugin: 'speedups' }
const redis: PackageHint = { name: '@waymark/redis', plugin: 'redis' }
const operations: PackageHint = { name: '@waymark/operations', plugin: 'operations' }
/**
 * Install spec of `@waymark/next`. Apps install it as `next`, because App Router code imports that
 * name.
 */
const nextAlias = 'next@npm:@waymark/next'

/**
 * Packages that errors and hints suggest. The core mentions its packages only here, and only for
 * hints. An app enables a package by listing it in its Vite configuration.
 */
export const packageHints = {
  /** Packages that replace options of `waymark()` from earlier versions, keyed by option. */
  options: { arrivals, devtools, journal: replay, live, offline },
  /** The package to suggest instead of the former option `patches`. */
  patches: speedups,
  /** Packages with an adapter, keyed by host. */
  adapters: { workerd: { name: '@waymark/cloudflare', plugin: 'workerd' } },
  /** Packages that provide a store, keyed by the environment variable that selects the store. */
  stores: { WAYMARK_REDIS_URL: redis },
  /** The package with `waymark start`'s worker processes, access log and metrics. */
  operations,
  /** Install specs of packages that apps install under a different name, keyed by the name that apps import. */
  aliases: { next: nextAlias },
  /** The package that compiles the `'use cache'` directive of cached functions. */
  cacheDirective: {
    pattern: /^use cache(?:: .+)?$/,
    instead:
      'Instead, write const getPrices = cached(async (region) => …) at the top level of the file, with cached() from waymark/server.',
    lines: `run ${installCommand(nextAlias)}, and add to vite.config.ts: import { next } from 'next/vite', then plugins: [next()] instead of waymark()`,
  },
  /** Packages that add a command, keyed by the command. */
  commands: {
    arrivals,
    // The app's folder is the third operand of `assets push`. The second one is the target, a
    // folder without code.
    assets: { ...operations, folderAt: 2 },
    conformance: { name: '@waymark/conformance', plugin: 'conformance' },
    contract: { name: '@waymark/contract', plugin: 'contract' },
    doctor: operations,
    drill: testing,
    info: testing,
    replay,
  },
  /** Packages that an import needs, with the import as apps write it. */
  imports: [
    {
      pattern: /\?image(?:&avif)?$/,
      neededFor: 'An import that ends with ?image',
      hint: { name: '@waymark/image', plugin: 'images' },
    },
    {
      pattern: /^@waymark\/font$/,
      neededFor: 'font()',
      hint: { name: '@waymark/font', plugin: 'fonts' },
    },
  ],
} as const satisfies {
  readonly options: Readonly<Record<string, PackageHint>>
  readonly patches: PackageHint
  readonly adapters: Readonly<Record<string, PackageHint>>
  readonly stores: Readonly<Record<string, PackageHint>>
  readonly operations: PackageHint
  readonly aliases: Readonly<Record<string, string>>
  readonly cacheDirective: {
    readonly pattern: RegExp
    readonly instead: string
    readonly lines: string
  }
  readonly commands: Readonly<Record<string, PackageHint>>
  readonly imports: readonly {
    readonly pattern: RegExp
    readonly neededFor: string
    readonly hint: PackageHint
  }[]
}

/**
 * Creates the error for a package that the app doesn't list.
 * @param configuration `isBuilt`: true if the app must be built again once it lists the package
 */
export function packageNotListed(
  neededFor: string,
  hint: PackageHint,
  { isBuilt }: { readonly isBuilt: boolean },
): FrameworkError {
  const { name } = hint
  return frameworkError('PACKAGE_NOT_LISTED', { neededFor, name, lines: linesFor(hint), isBuilt })
}

/** Returns the lines that add a package to an app's configuration: the import, and the call to list. */
export function linesFor({ name, plugin, call = `${plugin}()` }: PackageHint): string {
  return `import { ${plugin} } from '${name}/vite', then plugins: [waymark(), ${call}]`
}

/** Returns the lines that select an adapter in an app's configuration: the import, and the option of `waymark()`. */
export function linesForAdapter({ name, plugin, call = `${plugin}()` }: PackageHint): string {
  return `import { ${plugin} } from '${name}', then waymark({ adapter: ${call} })`
}
