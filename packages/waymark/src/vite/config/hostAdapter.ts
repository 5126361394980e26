import type { InlineConfig, Rolldown } from 'vite'
import type { BuildContents } from '../../builds/buildContents.ts'
import type { RouteManifest } from '../../builds/buildManifest.ts'
import { checkOption } from '../../shared/errors.ts'

/** A host that an app is built for, as `waymark({ adapter })` gets it. */
export type Adapter = {
  /** Name of the host, for the progress of the build: `Node`. */
  readonly name: string
  /**
   * Features that the host does not have, for those who choose a host and for tests that run against
   * several. The build does not read them: throw in `write` where an app needs a missing feature.
   * Default: none.
   */
  readonly lacks?: readonly HostFeature[]
  /**
   * Writes what the host runs. Called at the end of each build, before the build is complete.
   * @throws when the host can't run the app: the build fails
   */
  write(build: AppBuild): Promise<AdapterOutcome>
}

/**
 * A part of what Waymark's server for Node does.
 * - `requests`: runs code for each request: dynamic routes, actions, `proxy.ts`, revalidation
 * - `headers`: sends the status and the header lines of the build, and responds with 304, and with
 *   206 to a range
 * - `compression`: sends compressed bytes to clients that accept them
 * - `sockets`: hands a connection over to a WebSocket
 */
export type HostFeature = 'requests' | 'headers' | 'compression' | 'sockets'

export type AdapterOutcome = {
  /** How to serve the app: a command to be run in its folder, or a sentence. */
  readonly serve: { readonly command: string } | { readonly text: string }
  /** Lines to print, such as the pages that the host leaves out. */
  readonly notes?: readonly string[]
}

/** A build, as an adapter gets it. All paths are absolute. */
export type AppBuild = {
  /** Folder of the app. */
  readonly root: string
  /** Folder of the build. An adapter may write here, into a folder of its own name. */
  readonly buildDir: string
  /** A hash of the whole build: equal ids mean equal builds. */
  readonly buildId: string
  /** Path that the app is mounted at, `/docs`; empty for the root. */
  readonly basePath: string
  /** Module of the built server; its exports are a `BuiltServer` and `ServerStores`. */
  readonly server: string
  /**
   * Module that exports `stores`, for `openStores()`: the packages of stores that the app lists, such
   * as `@waymark/redis`. `null` without one.
   */
  readonly stores: string | null
  readonly routes: readonly RouteManifest[]
  /** What needs a server besides dynamic routes: `server actions`, `proxy.ts`. */
  readonly serverFeatures: readonly string[]
  /** Packages that the server imports instead of holding them: the host must have them installed. */
  readonly externals: readonly string[]
  /** Names of the variables that the app's `.env` files set, for hosts that bind each variable. */
  readonly envNames: readonly string[]
  /** Reads what the build holds besides code: files for browsers, and prerendered pages. */
  contents(): BuildContents
  /**
   * Tells if the server contains a secret. Only the owner of the build should be able to read a bundle
   * that contains such a server.
   */
  isPrivate(): Promise<boolean>
  /** Bundles a program with all that it imports, for hosts without `node_modules`. */
  bundle(program: HostProgram): Promise<void>
}

export type HostProgram = Pick<InlineConfig, 'root' | 'plugins' | 'define'> & {
  /** Source of the entry: imports of absolute paths, and a call. */
  readonly code: string
  readonly outDir: string
  readonly output: Rolldown.OutputOptions
}

/** Says how an adapter's host serves the app. @param paint marks the command */
export function servingLine(
  { serve }: AdapterOutcome,
  paint: (command: string) => string = (command) => command,
): string {
  return 'command' in serve ? `Serve it with: ${paint(serve.command)}` : serve.text
}

/** @throws `FrameworkError` for a value that is no adapter, such as an adapter's function */
export function checkAdapter(adapter: Adapter | undefined): Adapter | null {
  if (adapter === undefined) return null
  const isAdapter = typeof adapter?.name === 'string' && typeof adapter.write === 'function'
  checkOption(isAdapter, 'adapter', typeof adapter, 'write the call of an adapter, such as node()')
  return adapter
}
