import { existsSync, readFileSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import { isRunnableDevEnvironment, type RunnableDevEnvironment, type ViteDevServer } from 'vite'
import { buildLayout } from '../../builds/buildManifest.ts'
import type { BuiltServer } from '../../builds/builtServer.ts'
import type { CacheDriver } from '../../cache/cacheDriver.ts'
import { canonicalPathname } from '../../http/pathnames.ts'
import type { Handle, HandlerResponse } from '../../http/response.ts'
import { isBelow } from '../../journal/filePaths.ts'
import { createFilesJournal } from '../../journal/files/fileJournalDriver.ts'
import { type AttachableJournal, createAttachableJournal } from '../../journal/journal.ts'
import type { JournalEntry } from '../../journal/journalEntry.ts'
import { createStackMapper } from '../../journal/sourceMaps.ts'
import { importAppPackage } from '../../node/appPackages.ts'
import {
  type DriverLocation,
  namesSharedCache,
  openCacheDriver,
  type ServerStores,
} from '../../node/openDrivers.ts'
import { allow, isForbiddenMethod, refuse } from '../../node/refuse.ts'
import { NodeRequest, readOrigin, readTarget } from '../../node/request.ts'
import { encodeIdentity, identityPath } from '../../node/serverIdentity.ts'
import { contentTypeOf } from '../../node/static/mediaTypes.ts'
import { writeResponse } from '../../node/writeResponse.ts'
import { unmounted } from '../../shared/basePath.ts'
import { createDigest } from '../../wire/errorReport.ts'
import { assetsPrefix } from '../../wire/protocol.ts'
import type { Tracer } from '../../wire/trace.ts'
import { importListedPackages } from '../config/definePackage.ts'
import { entries } from '../config/environments.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { announceLong } from '../internals/fetchPackages.ts'
import { createDevActions, type DevActions, type FindNames } from '../routes/actionReachability.ts'
import { createEntryLog, createMappedJournal, type FailureLog, mapServerStack } from './devLog.ts'
import { isFromThisMachine, refuseOtherClients } from './devSecurity.ts'
import { describeRequest, loadDevtools } from './devTools.ts'
import { errorPage, isHtml, respondFailure, withFailures } from './errorPage.ts'
import { setRules } from './explainError.ts'
import { createDevFailures, type DevFailure } from './failures.ts'
import { createInspectedServer, type InspectedEntry } from './inspectedServer.ts'

/** Exports of the `rsc` entry that the dev server uses. */
type DevEntry = ServerStores &
  BuiltServer &
  InspectedEntry & {
    observedHandler(onFailure: (thrown: unknown, digest: string) => void): Handle
    attachActions(actions: DevActions): void
    attachStackMap(map: (stack: string) => string): void
    attachTracer(tracer: Tracer): void
    attachLog(log: (text: string, entry: JournalEntry) => void): void
  }

export type DevRequest = IncomingMessage & { originalUrl?: string | undefined }

/** State that the plugin shares with the dev server. */
export type DevApi = {
  options(): ResolvedOptions
  readonly log: FailureLog
  readonly findNames: FindNames
  /** Prints the line for a finished request. If `null`, Vite's logger prints it. */
  printRequest: ((line: string) => void) | null
  /** Reports an error that wasn't caused by a request. `null` until the app is loaded. */
  reportOutside: ((thrown: unknown) => string) | null
  /** Stores errors that the journal has only counted so far. `null` until the app is loaded. */
  closeJournal: (() => Promise<void>) | null
}

type DevServer = Awaited<ReturnType<typeof createDevServer>>

export async function createDevServer(
  server: ViteDevServer,
  api: DevApi,
  manager: RscPluginManager,
) {
  const { config, environments } = server
  const { rsc, ssr, client } = environments
  if (!rsc || !isRunnableDevEnvironment(rsc) || !ssr || !client) {
    throw new Error("The rsc environment that waymark() configures can't run modules.")
  }
  const { base, root } = config
  const options = api.options()
  const { theme, buildDir, appDir, basePath } = options
  const log = (line: string) => config.logger.error(line)
  const folder = path.join(buildDir, buildLayout.journal)
  const stored = createAttachableJournal(createFilesJournal({ folder, log }))
  const journal = createMappedJournal(stored, { client, rsc })
  const mapOwners = (stack: string) => mapServerStack(stack, rsc)
  const mapStack = createStackMapper({ root, buildDir, currentBuildId: null })
  const failures = createDevFailures({ journal, root, mapStack })
  const logEntry = createEntryLog(api.log, failures, { client, rsc })
  const loadPackage = (name: string, neededFor: string) => importAppPackage(root, name, neededFor)
  const attachDrivers = createDriverOpener(stored, {
    env: process.env,
    log,
    folder: path.join(buildDir, buildLayout.cache),
    packages: importListedPackages(options.packages),
  })
  const { findNames } = api
  const actions = createDevActions(manager, { rsc, ssr, client }, { appDir, findNames })
  const files = createPublicFiles(config.publicDir)
  const loadEntry = createEntryLoader(rsc, api, async (entry) => {
    entry.attachJournal(journal)
    entry.attachActions(actions)
    entry.attachTracer({ record: devtools.record, load: () => null })
    entry.attachLog(logEntry)
    entry.attachStackMap(mapOwners)
    entry.attachBuilt({ findBuilt: () => null, hasNotFound: false, hasFile: files.has })
    await attachDrivers(entry)
  })
  const { create: createDevtools, explanations } = await loadDevtools(api.options().packages)
  setRules(explanations)
  const inspected = createInspectedServer({
    options,
    journal,
    failures,
    mapStack,
    loadPackage,
    loadEntry,
    origin: () => serverOrigin(server),
    onBrowserEvent: (listener) => client.hot.on('waymark:event', listener),
  })
  const devtools = createDevtools(inspected)
  const { hmr } = config.server
  const hasOverlay = typeof hmr !== 'object' || hmr.overlay !== false
  return {
    loadEntry,
    devtools,
    files,
    failures,
    journal,
    devLog: api.log,
    isClosed: () => rsc.runner.isClosed(),
    hasOverlay,
    base,
    basePath,
    root,
    theme,
  }
}

/** @returns `null` if Vite runs inside a different program's server or uses TLS */
function serverOrigin({ httpServer, config }: ViteDevServer): string | null {
  const address = httpServer?.address()
  if (!address || typeof address === 'string' || config.server.https) return null
  return `http://localhost:${address.port}`
}

/**
 * Creates the function that loads the app's entry, and prepares each new entry as `waymark start`
 * does.
 */
function createEntryLoader(
  rsc: RunnableDevEnvironment,
  api: DevApi,
  prepare: (entry: DevEntry) => Promise<void>,
): () => Promise<DevEntry> {
  const prepared = new WeakMap<DevEntry, Promise<void>>()
  const prepareEntry = async (entry: DevEntry) => {
    api.reportOutside = entry.reportOutside
    api.closeJournal = entry.closeJournal
    await prepare(entry)
    await entry.register()
  }
  return async () => {
    const entry = await rsc.runner.import<DevEntry>(entries.rsc)
    const preparing = prepared.get(entry) ?? prepareEntry(entry)
    prepared.set(entry, preparing)
    preparing.catch(() => prepared.delete(entry))
    await preparing
    return entry
  }
}

/**
 * Creates the function that opens the app's drivers, or those that the environment selects. They
 * are opened once for all entries. If a driver can't be opened, the next request tries again.
 */
export function createDriverOpener(
  stored: Pick<AttachableJournal, 'attach'>,
  location: DriverLocation,
): (entry: ServerStores) => Promise<void> {
  let cache: Promise<CacheDriver> | undefined
  let openedJournal: Promise<void> | null = null
  return async (entry) => {
    openedJournal ??= entry.openJournal?.().then(stored.attach) ?? null
    openedJournal?.catch(() => {
      openedJournal = null
    })
    await openedJournal
    // Without a shared cache, each entry has its own in memory, because an edit may change the
    // cached values.
    if (!entry.openCache && !namesSharedCache(location.env, location.packages)) return
    cache ??= entry.openCache?.() ?? openCacheDriver(location)
    cache.catch(() => {
      cache = undefined
    })
    entry.attachCache(await cache)
  }
}

export async function handleRequest(
  dev: DevServer,
  req: DevRequest,
  res: ServerResponse,
): Promise<void> {
  const origin = readOrigin(req, () => false)
  const target = readTarget(req.originalUrl ?? req.url)
  if (origin === null || target === null) return refuse(res, 400, ['connection', 'close'])
  if (isForbiddenMethod(req.method)) return refuse(res, 405, ['allow', allow])
  // Compare the whole target, because a program that finds its port in use doesn't know the base path.
  if (target === identityPath) return writeResponse(res, respondIdentity(req, dev.root))
  const path = unmounted(target, dev.basePath) ?? ''
  if (path.startsWith(assetsPrefix)) return refuse(res, 404)
  const isLocal = isFromThisMachine(req)
  const failure = await respondFailure(path, { ...dev, isLocal })
  if (failure) return writeResponse(res, failure)
  const send = async (response: HandlerResponse) => writeResponse(res, response)
  if (await dev.devtools.handle({ req, res, target: path, send })) return
  const description = describeRequest(req, { path, target })
  await dev.devtools.follow({ req, res, target, send, ...description }, async () => {
    const handle = await createDevHandle(dev, isLocal)
    return handle(new NodeRequest(req, res, { origin, target }))
  })
}

function respondIdentity(req: DevRequest, root: string): HandlerResponse {
  const refused = refuseOtherClients(req, 'program')
  if (refused) return refused
  const headers: HandlerResponse['headers'] = [
    ['content-type', 'application/json'],
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
  ]
  return { status: 200, headers, body: encodeIdentity({ pid: process.pid, root }) }
}

/**
 * Creates the app's handler. If the app can't be loaded, the handler responds with a page that
 * shows the error.
 *
 * @param isLocal false for a client on a different machine, whose documents contain neither
 * failures nor the devtools panel
 */
async function createDevHandle(dev: DevServer, isLocal: boolean): Promise<Handle> {
  const { loadEntry, failures, devLog, base, theme } = dev
  const loadFailures: DevFailure[] = []
  const page = { base, errors: () => (isLocal ? loadFailures : []) }
  const transform = (document: HandlerResponse) =>
    isLocal ? dev.devtools.transformDocument(document) : document
  const hasOverlay = isLocal && dev.hasOverlay
  let entry: DevEntry
  try {
    entry = await announceLong(loadEntry(), () => 'Loading the app…')
  } catch (thrown) {
    const digest = createDigest(Date.now(), Math.random())
    loadFailures.push(failures.add(thrown, digest))
    // A closed runner means that Vite is restarting. The error is then only about the closed
    // connection.
    if (!dev.isClosed()) devLog.logThrown(thrown)
    return async () => transform(errorPage(page, theme, digest))
  }
  const handle = entry.observedHandler((thrown, digest) => {
    if (loadFailures.some((other) => other.digest === digest)) return
    loadFailures.push(failures.add(thrown, digest))
    dev.devtools.record({ type: 'error', digest })
  })
  return async (request) => {
    const response = dev.files.withFile(await handle(request))
    if (!isHtml(response)) return response
    const document = transform(response)
    // Page data only contains the digest, with which the browser loads the details.
    return hasOverlay ? withFailures(document, page) : document
  }
}

/** Creates functions that send the files in `public/` to which the handler's responses refer. */
export function createPublicFiles(folder: string) {
  const fileOf = (pathname: string) => path.join(folder, decodeURIComponent(pathname))

  function has(pathname: string): boolean {
    const file = fileOf(pathname)
    if (folder === '' || !isBelow(folder, file)) return false
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true
  }

  function withFile(response: HandlerResponse): HandlerResponse {
    const { prerendered: pathname, headers } = response
    if (pathname === undefined || !has(pathname)) return response
    const lines: HandlerResponse['headers'] = [
      ['content-type', contentTypeOf(pathname)],
      ...headers,
    ]
    const body = readFileSync(fileOf(pathname))
    return { status: 200, headers: lines.filter(([, value]) => value !== ''), body }
  }

  return { has, withFile }
}

/**
 * True if the handler should respond although Vite has a file of that name. The file may be in
 * `public/`, where proxy.ts comes first, or it may be a module, such as `cart.ts` for a page that
 * fetches `/cart`.
 */
export async function isForHandler(
  dev: {
    readonly basePath: string
    readonly root: string
    readonly files: ReturnType<typeof createPublicFiles>
    loadEntry(): Promise<Pick<BuiltServer, 'isProxiedFile'>>
  },
  url: string,
): Promise<boolean> {
  const pathname = canonicalPathname(unmounted(url, dev.basePath) ?? '')
  if (pathname === null) return false
  const isPart = (end: string) =>
    existsSync(path.join(dev.root, decodeURIComponent(pathname) + end))
  if (path.extname(pathname) === '' && moduleEnds.some(isPart)) return true
  if (!dev.files.has(pathname)) return false
  const entry = await dev.loadEntry()
  return entry.isProxiedFile(pathname)
}

const moduleEnds = ['js', 'jsx', 'ts', 'tsx', 'json'].flatMap((end) => [`.${end}`, `/index.${end}`])
