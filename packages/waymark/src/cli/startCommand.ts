import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { type BuildManifest, buildLayout } from '../builds/buildManifest.ts'
import type { BuiltServer } from '../builds/builtServer.ts'
import type { ServedAssets } from '../builds/servedAssets.ts'
import type { CacheDriver } from '../cache/cacheDriver.ts'
import { loadEnvFiles } from '../node/env.ts'
import { closeOnSignals, createNodeServer, type NodeServerOptions } from '../node/httpServer.ts'
import { importBuilt } from '../node/importBuilt.ts'
import {
  type DocumentObserver,
  observeDocuments,
  observeRequests,
} from '../node/observeRequests.ts'
import {
  namesSharedCache,
  openCacheDriver,
  openJournalDriver,
  type ServerStores,
} from '../node/openDrivers.ts'
import { packageHints, packageNotListed } from '../node/packageHints.ts'
import { importBuiltPackages, type RuntimePackages } from '../node/runtimePackages.ts'
import { findClosedPaths } from '../node/static/closedPaths.ts'
import { readCompatibleManifest } from '../node/static/manifest.ts'
import { isAssetName, shareAssets } from '../node/static/sharedAssets.ts'
import { loadStaticFiles } from '../node/static/staticFiles.ts'
import { unsetStoreVariables } from '../node/storePackages.ts'
import { FrameworkError, frameworkError } from '../shared/errors.ts'
import { restoreBuild } from '../vite/build/earlierBuilds.ts'
import { assetsPrefix } from '../wire/protocol.ts'
import type { Command, CommandInput } from './arguments.ts'
import {
  findFleetVariable,
  listAssetFiles,
  listEarlierAssets,
  storeAssets,
  warnOfAssets,
} from './buildAssets.ts'
import type { ParsedOptions } from './commandOptions.ts'
import { portInUse } from './portInUse.ts'
import { listenOptions, reportProcessErrors } from './serving.ts'

type ServerEntry = BuiltServer &
  ServerStores &
  DocumentObserver & {
    /** Metrics that packages in the build provide. */
    readonly metrics?: (() => string) | undefined
    attachAssets(read: () => ServedAssets): void
  }

/** A worker process's connection to the primary process. */
export type WorkerChannel = {
  isReady(): boolean
  /** True for all workers but one, which prints messages for all of them. */
  readonly isOther: boolean
  reportListening(url: string): void
  onClose(close: (isHurried: boolean) => void): void
  /** Disconnects, so that the process can exit after a failed start. */
  leave(): void
}

/** The parts of a server that packages can observe. */
export type ObservedServer = Pick<ServerEntry, 'routeOf' | 'metrics'> & {
  /**
   * The serving program's own function, which has the timings of its requests. A bundled package's
   * copy of the function would have none.
   */
  readonly observeRequests: typeof observeRequests
}

/** Functions that a package exports for its `operations` part. */
export type Operations = {
  /** @returns `null` if this process isn't a worker */
  joinWorker(): WorkerChannel | null
  /**
   * Runs several processes that share a port.
   *
   * @returns the exit code of a failed start; otherwise doesn't return
   */
  startWorkers(count: number, version: string, input: CommandInput): Promise<number>
  createObserving(
    server: ObservedServer,
    options: Pick<ParsedOptions, 'log' | 'server-timing'>,
    env: NodeJS.ProcessEnv,
  ): NodeServerOptions['wrap']
}

export const start: Command = (input) => {
  const root = resolve(input.options.folder ?? '.')
  const folder = join(root, buildLayout.folder)
  restoreBuild(folder)
  return startBuild({ root, folder, manifest: readCompatibleManifest(folder) }, input)
}

export type BuiltApp = {
  /** Folder that contains the `.env` files. */
  readonly root: string
  readonly folder: string
  readonly manifest: BuildManifest
}

/** Starts a built app with as many processes as `--workers` says. */
export async function startBuild(build: BuiltApp, input: CommandInput): Promise<number> {
  const { workers = 1 } = input.options
  const packages = await importBuiltPackages(build.folder)
  const operations = workers > 1 ? await loadOperations(packages, '--workers') : null
  const channel = operations?.joinWorker() ?? null
  if (channel === null) checkExternals(build.manifest.externals, build.folder)
  if (operations && !channel) return operations.startWorkers(workers, build.manifest.waymark, input)
  try {
    return await serveApp({ ...build, channel, packages }, input)
  } catch (thrown) {
    channel?.leave()
    throw thrown
  }
}

type Serving = BuiltApp & {
  readonly channel: WorkerChannel | null
  readonly packages: RuntimePackages
}

async function serveApp(build: Serving, { options, terminal }: CommandInput): Promise<never> {
  const { root, folder, manifest, channel, packages } = build
  process.env.NODE_ENV = 'production'
  const { warnings } = loadEnvFiles(root, options.mode ?? manifest.mode, process.env)
  // Print the warnings in one process only, if there are several.
  if (!channel?.isOther) for (const warning of warnings) terminal.fail(warning)
  const address = listenOptions(options, process.env)
  const entry = await importBuilt<ServerEntry>(folder, buildLayout.serverEntry)
  entry.appSecrets()
  const log = (line: string) => terminal.fail(line)
  checkStoreVariables(entry, build, log)
  const { cache, close: closeStores } = await openStores(entry, build, log)
  await entry.register()
  const clientDir = join(folder, buildLayout.client)
  const sharedAssets = options['shared-assets'] && resolve(options['shared-assets'])
  if (sharedAssets) shareAssets(clientDir, sharedAssets)
  const staticFiles = loadStaticFiles({
    dirs: [clientDir],
    sharedAssets,
    storedAssets: cache ? await storeAssets({ driver: cache, folder, manifest, log }) : undefined,
    headers: entry.defaultHeaders,
    isProxied: entry.isProxiedFile,
    prerendered: join(folder, buildLayout.prerendered),
    findCached: entry.findCached,
    onError: (error) => terminal.failWith(error),
  })
  entry.attachBuilt(staticFiles)
  const sharedIn = sharedAssets ? 'folder' : cache ? 'cache' : null
  // A later build in this folder has different file names, so list the assets now. File modes are
  // read each time.
  const names = listAssetFiles(folder).filter(isAssetName)
  const earlier = listEarlierAssets(folder).filter(isAssetName)
  const closed = () => findClosedPaths(join(clientDir, assetsPrefix))
  entry.attachAssets(() => ({ names, earlier, sharedIn, closed: closed() }))
  if (!channel?.isOther) warnOfAssets(sharedIn, terminal)
  const { uncaughtExceptions } = reportProcessErrors(terminal, {
    report: () => entry.reportOutside,
    onException: options['exit-on-uncaught'] ? async () => ending.close(false, 1) : undefined,
  })
  const server = createNodeServer({
    ...address,
    handle: entry.handle,
    basePath: entry.basePath,
    trailingSlash: entry.trailingSlash,
    allowedHosts: entry.allowedHosts,
    onRefusedHost: (origin) =>
      terminal.fail(
        `Refused a request for ${origin}. security.allowedHosts allows only ${entry.allowedHosts?.join(', ')}.`,
      ),
    isReady: channel?.isReady,
    uncaughtExceptions,
    trustProxy: options['trust-proxy'],
    drainDelayMs: options['drain-delay'],
    drainTimeoutMs: options['drain-timeout'],
    screen: entry.screen,
    loadShedding: entry.loadShedding,
    onOverload: () =>
      terminal.fail('The server is overloaded, so it refuses some requests with a 503.'),
    onRecovery: ({ refused, seconds }) =>
      terminal.fail(
        `The server is no longer overloaded. It refused ${refused} requests within ${seconds} s.`,
      ),
    staticFiles,
    wrap: await observingOf(entry, options, packages),
  })
  const { url } = await server.listen().catch(async (error: unknown) => {
    await closeStores()
    const isPortInUse = error instanceof FrameworkError && error.code === 'PORT_IN_USE'
    throw isPortInUse ? await portInUse(address.port, root) : error
  })
  const ending = closeOnSignals(server, { beforeExit: closeStores, isPatient: channel !== null })
  channel?.onClose(ending.close)
  channel?.reportListening(url)
  if (!channel) terminal.print(`Waymark ${manifest.waymark} serves ${terminal.paint.cyan(url)}`)
  return new Promise<never>(() => {})
}

/** @throws `PACKAGE_NOT_LISTED` */
async function loadOperations(packages: RuntimePackages, neededFor: string): Promise<Operations> {
  const { operations } = packages
  if (!operations) throw packageNotListed(neededFor, packageHints.operations, packages)
  return (await operations()) as Operations
}

/** Creates the wrapper that observes requests. Loads no package if nothing observes them. */
async function observingOf(
  entry: ServerEntry,
  options: ParsedOptions,
  packages: RuntimePackages,
): Promise<NodeServerOptions['wrap']> {
  const { env } = process
  const requested = [
    options.log && '--log',
    options['server-timing'] && '--server-timing',
    env.WAYMARK_METRICS_TOKEN && 'WAYMARK_METRICS_TOKEN',
  ].find(Boolean)
  const operations = requested ? await loadOperations(packages, requested) : null
  const { routeOf, metrics } = entry
  const observe = operations?.createObserving({ routeOf, metrics, observeRequests }, options, env)
  const tellDocuments = (listener: RequestListener) => observeDocuments(listener, entry)
  return (listener) => observe?.(tellDocuments(listener)) ?? tellDocuments(listener)
}

/**
 * Checks that the packages that aren't bundled are installed. Without this check, the server would
 * start, and only pages that use these packages would fail.
 * @throws `PACKAGES_MISSING`
 */
function checkExternals(externals: readonly string[], folder: string): void {
  const { resolve: find } = createRequire(join(folder, buildLayout.serverEntry))
  const missing = externals.filter((name) => {
    try {
      find(name)
      return false
    } catch (error) {
      // Only this code means that the package is missing. If all of its exports have an `import`
      // condition, the code is different.
      return (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND'
    }
  })
  if (missing.length > 0) throw frameworkError('PACKAGES_MISSING', { names: missing, folder })
}

/**
 * Reports that the app lists a store such as Redis, but its address is missing, as on platforms whose
 * build and server have different variables.
 * @throws `STORE_UNSET` if the app may run on several servers
 */
function checkStoreVariables(
  { openCache }: ServerEntry,
  { packages, channel }: Serving,
  log: (line: string) => void,
): void {
  const { env } = process
  const names = openCache || env.WAYMARK_CACHE_DIR ? [] : unsetStoreVariables(env, packages)
  if (names.length === 0) return
  const error = frameworkError('STORE_UNSET', { names })
  if (findFleetVariable(env)) throw error
  if (!channel?.isOther) log(error.message)
}

/** @returns `cache` if it is shared with other servers; `null` if it is a folder of this build */
async function openStores(
  entry: ServerEntry,
  { folder, packages }: Serving,
  log: (line: string) => void,
): Promise<{ readonly cache: CacheDriver | null; close(): Promise<void> }> {
  const { env } = process
  const optionsOf = (store: 'journal' | 'cache') => {
    return { env, log, packages, folder: join(folder, buildLayout[store]) }
  }
  entry.attachJournal(await (entry.openJournal?.() ?? openJournalDriver(optionsOf('journal'))))
  const cache = await (entry.openCache?.() ?? openCacheDriver(optionsOf('cache')))
  entry.attachCache(cache)
  const isShared = entry.openCache !== null || namesSharedCache(env, packages)
  return {
    cache: isShared ? cache : null,
    async close() {
      await Promise.all([entry.closeJournal(), entry.closeCache()])
    },
  }
}
