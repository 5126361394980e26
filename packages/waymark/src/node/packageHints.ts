import { type FrameworkError, frameworkError } from '../shared/errors.ts'

/** A Waymark package, and the function of its `vite` entry that an app lists. */
export type PackageHint = {
  readonly name: string
  readonly plugin: string
  /** The call to the function; `undefined` for a call without arguments. */
  readonly call?: string
  /** For a command: number of operands before the folder of the app. */
  readonly folderAt?: number
}

const arrivals: PackageHint = { name: '@waymark/arrivals', plugin: 'arrivals' }
const devtools: PackageHint = { name: '@waymark/devtools', plugin: 'devtools' }
const live: PackageHint = { name: '@waymark/live', plugin: 'live' }
const offline: PackageHint = {
  name: '@waymark/offline',
  plugin: 'offline',
  call: "offline({ ahead: ['/guide'] })",
}
const replay: PackageHint = { name: '@waymark/replay', plugin: 'replay' }
const testing: PackageHint = { name: '@waymark/testing', plugin: 'testing' }
const speedups: PackageHint = { name: '@waymark/speedups', plugin: 'speedups' }
const redis: PackageHint = { name: '@waymark/redis', plugin: 'redis' }
const operations: PackageHint = { name: '@waymark/operations', plugin: 'operations' }
/** For App Router's import names: apps install the package under the name that they import. */
const nextAlias = 'next@npm:@waymark/next'

/**
 * The packages that errors and hints suggest. The core mentions its packages only here, and only
 * for hints. An app enables a package by listing it in its Vite configuration.
 */
export const packageHints = {
  /** Packages, by the option that `waymark()` had for each of them in earlier versions. */
  options: { arrivals, devtools, journal: replay, live, offline },
  /** The package to suggest instead of the former option `patches`. */
  patches: speedups,
  /** Adapters, by host. */
  adapters: { workerd: { name: '@waymark/workerd', plugin: 'workerd' } },
  /** Packages with a store, by the environment variable that selects it. */
  stores: { WAYMARK_REDIS_URL: redis },
  /** The package with worker processes, the access log and metrics of `waymark start`. */
  operations,
  /** Packages to install under a different name, by the name that apps import. */
  aliases: { next: nextAlias },
  /** The directive of cached functions, which `@waymark/next` compiles. */
  cacheDirective: {
    pattern: /^use cache(?:: .+)?$/,
    instead:
      'Instead, write const getPrices = cached(async (region) => …) at the top level of the file, with cached() from waymark/server.',
    lines: `run npm install ${nextAlias}, and add to vite.config.ts: import { next } from 'next/vite', then plugins: [next()] instead of waymark()`,
  },
  /** Packages, by the command that they add. */
  commands: {
    arrivals,
    // No code runs from the folder to which `assets push` writes.
    assets: { ...operations, folderAt: 2 },
    doctor: operations,
    drill: testing,
    info: testing,
    replay,
  },
  /** Packages, by the imports that need them, in the form that an app writes. */
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

/** @param configuration `isBuilt`: true if the app has to be built again afterwards */
export function packageNotListed(
  neededFor: string,
  hint: PackageHint,
  { isBuilt }: { readonly isBuilt: boolean },
): FrameworkError {
  const { name } = hint
  return frameworkError('PACKAGE_NOT_LISTED', { neededFor, name, lines: linesFor(hint), isBuilt })
}

/** Returns how an app gets a package: the import to write, and the call to list. */
export function linesFor({ name, plugin, call = `${plugin}()` }: PackageHint): string {
  return `import { ${plugin} } from '${name}/vite', then plugins: [waymark(), ${call}]`
}

/** Returns how an app is built for a host: the import to write, and the option of `waymark()`. */
export function linesForAdapter({ name, plugin, call = `${plugin}()` }: PackageHint): string {
  return `import { ${plugin} } from '${name}', then waymark({ adapter: ${call} })`
}
