import type { InlineConfig, Rolldown } from 'vite'
import type { BuildContents } from '../../builds/buildContents.ts'
import type { RouteManifest } from '../../builds/buildManifest.ts'
import { checkOption } from '../../shared/errors.ts'

/** A host for which an app is built. An adapter is passed as `waymark({ adapter })`. */
export type Adapter = {
  /** Name of the host, shown during the build: `Node`. */
  readonly name: string
  /**
   * Features that the host doesn't have. The build fails if the app uses one of `sockets`,
   * `streams` and `images`, and prints a warning if the app needs `sharedState` and lists no store.
   * If the host lacks `requests`, the build checks nothing, and `write` decides what the host can
   * serve. Default: none.
   */
  readonly lacks?: readonly HostFeature[]
  /**
   * Writes the files that the host runs. Called at the end of each build, before the build is
   * complete.
   *
   * @throws if the host can't run the app, which makes the build fail
   */
  write(build: AppBuild): Promise<AdapterOutcome>
}

/**
 * A feature of Waymark's server for Node:
 *
 * - `requests`: runs code for each request, for dynamic routes, actions, `proxy.ts` and
 *   revalidation
 * - `headers`: sends the status and headers of the build, and responds with 304
 * - `ranges`: responds to range requests and to preconditions of files
 * - `compression`: sends compressed files to clients that accept them
 * - `sockets`: hands a connection over to a WebSocket
 * - `streams`: keeps a response open for at least a minute, and sends each part at once, for live
 *   pages and `stream()`
 * - `images`: starts processes that decode images, for `remoteImages()`
 * - `sharedState`: all instances of the app share cached pages, invalidations, the keys of actions
 *   and the journal, even if the app lists no store
 */
export type HostFeature = (typeof hostFeatures)[number]

export const hostFeatures = [
  'requests',
  'headers',
  'ranges',
  'compression',
  'sockets',
  'streams',
  'images',
  'sharedState',
] as const

/** A feature that the app needs from its host. */
export type UsedFeature = {
  readonly feature: HostFeature
  /** Part of the app that needs it, with its files: `WebSockets (app/chat/route.ts)`. */
  readonly text: string
}

export type AdapterOutcome = {
  /** How to serve the app: a command to run in its folder, or a sentence. */
  readonly serve: { readonly command: string } | { readonly text: string }
  /** Lines to print, such as a list of pages that are missing on the host. */
  readonly notes?: readonly string[]
}

/** A build as an adapter receives it. All paths are absolute. */
export type AppBuild = {
  /** Folder of the app. */
  readonly root: string
  /** Folder of the build. An adapter may write into a subfolder with the adapter's name. */
  readonly buildDir: string
  /** Hash of the whole build. Equal ids mean equal builds. */
  readonly buildId: string
  /** Path at which the app is mounted, such as `/docs`. Empty for the root. */
  readonly basePath: string
  /** True if the URLs of pages end with a slash. */
  readonly trailingSlash: boolean
  /** Module of the built server. It exports a `BuiltServer` and `ServerStores`. */
  readonly server: string
  /**
   * Module that exports `stores` for `openStores()`: the store packages that the app lists, such as
   * `@waymark/redis`. `null` if the app lists none.
   */
  readonly stores: string | null
  readonly routes: readonly RouteManifest[]
  /**
   * Reasons why the app needs a server, other than dynamic routes, such as `server actions` or
   * `proxy.ts`.
   */
  readonly serverFeatures: readonly string[]
  /** Features of the host that the app uses, of those that not every host has. */
  readonly usedFeatures: readonly UsedFeature[]
  /** Packages that the server imports at run time. They must be installed on the host. */
  readonly externals: readonly string[]
  /**
   * Names of the variables that the app's `.env` files set, for hosts on which each variable must
   * be bound.
   */
  readonly envNames: readonly string[]
  /** Reads everything in the build except its code: files for browsers and prerendered pages. */
  contents(): BuildContents
  /**
   * Resolves to true if the server contains a secret. If it does, make your bundle readable only
   * for its owner.
   */
  isPrivate(): Promise<boolean>
  /** Bundles a program with all its imports, for hosts without `node_modules`. */
  bundle(program: HostProgram): Promise<void>
}

export type HostProgram = Pick<InlineConfig, 'root' | 'plugins' | 'define'> & {
  /** Source of the entry, with imports of absolute paths. */
  readonly code: string
  readonly outDir: string
  readonly output: Rolldown.OutputOptions
}

/**
 * Describes how the adapter's host serves the app.
 *
 * @param paint highlights the command
 */
export function servingLine(
  { serve }: AdapterOutcome,
  paint: (command: string) => string = (command) => command,
): string {
  return 'command' in serve ? `Serve it with: ${paint(serve.command)}` : serve.text
}

/**
 * @throws `FrameworkError` if the value isn't an adapter, for example an adapter's function that
 *   wasn't called
 */
export function checkAdapter(adapter: Adapter | undefined): Adapter | null {
  if (adapter === undefined) return null
  const isAdapter = typeof adapter?.name === 'string' && typeof adapter.write === 'function'
  checkOption(isAdapter, 'adapter', typeof adapter, "call the adapter's function, such as node()")
  return adapter
}
