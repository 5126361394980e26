import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CacheDriver } from '../cache/cacheDriver.ts'
import { openCacheDriver } from '../cache/openCacheDriver.ts'
import type { JournalDriver } from '../journal/journalDriver.ts'
import { openJournalDriver } from '../journal/openJournalDriver.ts'
import { loadEnvFiles } from '../node/env.ts'
import { createNodeServer } from '../node/httpServer.ts'
import type { ListenerOptions } from '../node/listener.ts'
import { closeOnSignals } from '../node/shutdown.ts'
import { shareAssets } from '../node/static/sharedAssets.ts'
import { loadStaticFiles, type StaticFilesOptions } from '../node/static/staticFiles.ts'
import { createSupervisor } from '../node/supervisor.ts'
import { forkWorker, joinWorker, type WorkerChannel } from '../node/workers.ts'
import { type BuildManifest, buildLayout } from '../shared/buildManifest.ts'
import type { FindBuilt, FindCached } from '../shared/cachedPage.ts'
import { frameworkError } from '../shared/errors.ts'
import type { Command, CommandInput } from './arguments.ts'
import { ownVersion } from './infoCommand.ts'
import { listenOptions, reportProcessErrors } from './serving.ts'

/** What the built server exports. */
type ServerEntry = Pick<ListenerOptions, 'handle' | 'isRouted' | 'screen'> & {
  readonly defaultHeaders: StaticFilesOptions['headers'] & object
  readonly findKept: FindCached
  attachBuilt(findBuilt: FindBuilt): void
  readonly openCache: (() => Promise<CacheDriver>) | null
  readonly openJournal: (() => Promise<JournalDriver>) | null
  attachJournal(driver: JournalDriver): void
  closeJournal(): Promise<void>
  attachCache(driver: CacheDriver): void
  closeCache(): Promise<void>
  /** The app's own part in starting: that of `instrumentation.ts`. */
  register(): Promise<void>
  reportOutside(thrown: unknown): string
}

/** Serves the built app. */
export const start: Command = (input) => {
  const root = resolve(input.options.folder ?? '.')
  const folder = join(root, buildLayout.folder)
  const own = ownVersion()
  const facts = readBuildManifest(folder)
  if (facts.waymark !== own)
    throw frameworkError('OTHER_BUILD', { folder, built: facts.waymark, own })
  return startBuild({ root, folder, facts }, input)
}

/** A build that is to be served. */
export type BuiltApp = {
  /** Where its `.env` files are. */
  readonly root: string
  readonly folder: string
  readonly facts: BuildManifest
}

/** Serves a build, with as many processes as were asked for. */
export async function startBuild(build: BuiltApp, input: CommandInput): Promise<number> {
  const { workers = 1 } = input.options
  const seat = joinWorker()
  if (workers > 1 && seat === null) return startWorkers(workers, build.facts.waymark, input)
  try {
    return await serveApp({ ...build, seat }, input)
  } catch (thrown) {
    seat?.leave()
    throw thrown
  }
}

/** Serves it with this process. */
async function serveApp(
  { root, folder, facts, seat }: BuiltApp & { readonly seat: WorkerChannel | null },
  { options, terminal }: CommandInput,
): Promise<never> {
  process.env.NODE_ENV = 'production'
  loadEnvFiles(root, options.mode ?? facts.mode, process.env)
  const address = listenOptions(options, process.env)
  const entry: ServerEntry = await import(pathToFileURL(join(folder, buildLayout.serverEntry)).href)
  await openStores(entry, folder, (line) => terminal.fail(line))
  await entry.register()
  const clientDir = join(folder, buildLayout.client)
  const sharedAssets = options['shared-assets'] && resolve(options['shared-assets'])
  if (sharedAssets) shareAssets(clientDir, sharedAssets)
  const staticFiles = loadStaticFiles({
    dirs: [clientDir],
    sharedAssets,
    headers: entry.defaultHeaders,
    prerendered: join(folder, buildLayout.prerendered),
    findKept: entry.findKept,
    onError: (error) => terminal.failWith(error),
  })
  entry.attachBuilt(staticFiles.findBuilt)
  // Whoever asks for it would rather have the process started anew than go on with what may be half
  // done; no request is lost.
  const end = async () => {
    await server.close()
    await closeStores(entry)
    process.exit(1)
  }
  const { uncaughtExceptions } = reportProcessErrors(terminal, {
    report: () => entry.reportOutside,
    onException: options['exit-on-uncaught'] ? end : undefined,
  })
  const server = createNodeServer({
    ...address,
    handle: entry.handle,
    isRouted: entry.isRouted,
    isReady: seat?.isReady,
    uncaughtExceptions,
    trustProxy: options['trust-proxy'],
    drainDelayMs: options['drain-delay'],
    drainTimeoutMs: options['drain-timeout'],
    screen: entry.screen,
    staticFiles,
  })
  const { url } = await server.listen().catch(async (error: unknown) => {
    await closeStores(entry)
    throw error
  })
  const ending = closeOnSignals(server, {
    beforeExit: () => closeStores(entry),
    isPatient: seat !== null,
  })
  if (seat === null) terminal.print(`Waymark ${facts.waymark} serves ${terminal.paint.cyan(url)}`)
  seat?.onClose(ending.close)
  seat?.tellListening(url)
  return new Promise<never>(() => {})
}

async function openStores(
  entry: ServerEntry,
  folder: string,
  log: (line: string) => void,
): Promise<void> {
  const stores = { env: process.env, log }
  const folderOf = (store: 'journal' | 'cache') => join(folder, buildLayout[store])
  const openJournal =
    entry.openJournal ?? (() => openJournalDriver({ ...stores, folder: folderOf('journal') }))
  const openCache =
    entry.openCache ?? (() => openCacheDriver({ ...stores, folder: folderOf('cache') }))
  entry.attachJournal(await openJournal())
  entry.attachCache(await openCache())
}

async function closeStores(entry: ServerEntry): Promise<void> {
  await Promise.all([entry.closeJournal(), entry.closeCache()])
}

/** @throws `NO_BUILD` */
export function readBuildManifest(folder: string): BuildManifest {
  const path = join(folder, buildLayout.facts)
  if (!existsSync(path)) throw frameworkError('NO_BUILD', { folder })
  return JSON.parse(readFileSync(path, 'utf8')) as BuildManifest
}

/** What a worker may take to end beside its draining: the journal is written, sockets are closed. */
const marginMs = 5_000

/**
 * Serves the built app with several processes that share its port.
 * @returns the exit code, when they could not be started; else it stays
 */
export async function startWorkers(
  count: number,
  version: string,
  { options, terminal }: CommandInput,
): Promise<number> {
  const { 'drain-delay': delayMs = 0, 'drain-timeout': timeoutMs = 10_000 } = options
  const supervisor = createSupervisor({
    count,
    fork: forkWorker,
    log: (line) => terminal.fail(line),
    closeWithinMs: delayMs + timeoutMs + marginMs,
  })
  let isClosing = false
  const end = async (signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP') => {
    if (isClosing) {
      supervisor.kill()
      process.exit(signal === 'SIGINT' ? 130 : 143)
    }
    isClosing = true
    await supervisor.close({ isHurried: signal === 'SIGINT' })
    process.exit(0)
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  // From a terminal it says that the terminal is gone; from a service, that all is to be read anew.
  process.on('SIGHUP', () => void (process.stdout.isTTY ? end('SIGHUP') : supervisor.restart()))
  try {
    const url = await supervisor.started
    const { cyan } = terminal.paint
    terminal.print(`Waymark ${version} serves ${cyan(url)} with ${count} workers`)
  } catch (error) {
    supervisor.kill()
    terminal.fail((error as Error).message)
    return 1
  }
  return new Promise<never>(() => {})
}
