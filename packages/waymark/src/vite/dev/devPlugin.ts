import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import path from 'node:path'
import type { RscPluginManager } from '@vitejs/plugin-rsc'
import {
  isRunnableDevEnvironment,
  normalizePath,
  type Plugin,
  type ServerOptions,
  type ViteDevServer,
} from 'vite'
import type { CacheDriver } from '../../cache/cacheDriver.ts'
import { openCacheDriver } from '../../cache/openCacheDriver.ts'
import { createFilesJournal } from '../../journal/files/fileJournalDriver.ts'
import { createAttachableJournal, type JournalDriver } from '../../journal/journalDriver.ts'
import type { JournalEntry } from '../../journal/journalEntry.ts'
import { createStackMapper } from '../../journal/sourceMaps.ts'
import { mcpPath } from '../../mcp/mcpEndpoint.ts'
import { allow, isForbiddenMethod, refuse } from '../../node/refuse.ts'
import { createServerRequest, readOrigin, readTarget } from '../../node/request.ts'
import { writeResponse } from '../../node/writeResponse.ts'
import { buildLayout } from '../../shared/buildManifest.ts'
import { createDigest } from '../../shared/errorReport.ts'
import { unmounted } from '../../shared/mountPath.ts'
import { assetsPrefix } from '../../shared/protocol.ts'
import type { Handle } from '../../shared/response.ts'
import { entries } from '../config/environments.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { createDevActions, type DevActions, type FindNames } from '../routes/actionReachability.ts'
import { announceLong } from './announce.ts'
import { createDevLog } from './devLog.ts'
import { corsOptions, denyOptions, editorPath, refuseForeign } from './devSecurity.ts'
import { createDevTools, type InspectedEntry } from './devTools.ts'
import { errorPage, hasBody, withFailures } from './errorPage.ts'
import { createDevFailures, type DevFailure } from './failures.ts'
import { createMappedJournal, mapServerStack, respondJournalPage } from './journalPages.ts'

/** The exports of the `rsc` environment's entry that the dev server uses. */
type DevEntry = {
  observedHandler(onFailure: (thrown: unknown, digest: string) => void): Handle
  reportOutside(thrown: unknown): string
  attachActions(actions: DevActions): void
  attachStackMap(map: (stack: string) => string): void
  attachLog(log: (text: string, entry: JournalEntry) => void): void
  readonly openJournal: (() => Promise<JournalDriver>) | null
  readonly openCache: (() => Promise<CacheDriver>) | null
  attachCache(driver: CacheDriver): void
  attachJournal(driver: JournalDriver): void
  register(): Promise<void>
} & InspectedEntry

type DevRequest = IncomingMessage & { originalUrl?: string | undefined }

/** What the plugin shares with the dev server. */
export type DevApi = {
  options(): ResolvedOptions
  readonly findNames: FindNames
  /** Reports an error outside of any request; `null` until the app is loaded. */
  reportOutside: ((thrown: unknown) => string) | null
}

type DevServer = ReturnType<typeof createDevServer>

const defaultPort = 3000

/** Handles the requests that Vite's dev server passes on, with the app's handler. */
export function devPlugin(api: DevApi, manager: RscPluginManager): Plugin {
  return {
    name: 'waymark:dev',
    apply: 'serve',
    config: ({ server }) => ({
      server: {
        port: server?.port ?? defaultPort,
        strictPort: true,
        cors: corsOptions(server?.cors),
        fs: { deny: denyOptions(server?.fs?.deny) },
        watch: watchOptions(server?.watch, api.options().buildDir),
      },
    }),
    configureServer(server) {
      const dev = createDevServer(server, api, manager)
      for (const path of new Set([editorPath, `${dev.base}${editorPath.slice(1)}`])) {
        server.middlewares.use(path, refuseForeign)
      }
      server.middlewares.use((req, _, next) => {
        // What is no URL of a module gets its response from those that come after this.
        void renewModule(server, req.url ?? '').then(
          () => next(),
          () => next(),
        )
      })
      // Vite knows the root of an app by its slash only.
      const isForApp = (url: string) => !url.split('?', 1)[0]?.startsWith(dev.base)
      const respond: RequestListener = (req, res) => {
        handleRequest(dev, req, res).catch(() => refuse(res, 500))
      }
      respondToNonCanonical(server.httpServer, respond, isForApp)
      server.httpServer?.once('listening', () => warmUp(server))
      return () => {
        server.middlewares.use((req: DevRequest, res, next) => {
          handleRequest(dev, req, res).catch(next)
        })
      }
    },
  }
}

/**
 * Lets a browser load a module again that it has failed to load: a document remembers a failure by
 * its URL. Under a time newer than the module's, the module names itself by that, as React's Fast
 * Refresh has it do, and what no other module imports.
 */
async function renewModule({ config, environments }: ViteDevServer, url: string): Promise<void> {
  const [, path = '', , time = ''] = /^([^?]+\?(.*&)?)t=(\d{1,15})$/.exec(url) ?? []
  const graph = environments.client.moduleGraph
  const module = time && (await graph.getModuleByUrl(`/${path.slice(config.base.length, -1)}`))
  if (!module || module.lastHMRTimestamp >= Number(time)) return
  const renewed = new Set([module])
  for (const each of renewed) {
    graph.invalidateModule(each)
    each.lastHMRTimestamp = Number(time)
    for (const imported of each.importedModules) {
      const { file, importers } = imported
      // Others may have it: a second instance would have a state of its own.
      const isOwn = [...importers].every((by) => by === imported || renewed.has(by))
      if (isOwn && file?.startsWith(config.root) && !file.includes('/node_modules/'))
        renewed.add(imported)
    }
  }
}

/**
 * Loads what each page needs, before the first request comes.
 * @see docs/decisions/dev-bundles.md
 */
function warmUp({ environments: { rsc, ssr } }: ViteDevServer): void {
  for (const [environment, entry] of [
    [rsc, entries.rsc],
    [ssr, entries.ssr],
  ] as const) {
    if (!environment || !isRunnableDevEnvironment(environment)) continue
    // The first request meets what fails, and reports it.
    environment.runner.import(entry).catch(() => {})
  }
}

function createDevServer(server: ViteDevServer, api: DevApi, manager: RscPluginManager) {
  const { config, environments, httpServer } = server
  const { rsc, ssr, client } = environments
  if (!rsc || !isRunnableDevEnvironment(rsc) || !ssr || !client) {
    throw new Error('waymark() configures an rsc environment that runs modules.')
  }
  const { base, root } = config
  const { theme, buildDir, appDir, basePath } = api.options()
  const log = (line: string) => config.logger.error(line)
  const folder = path.join(buildDir, buildLayout.journal)
  const stored = createAttachableJournal(createFilesJournal({ folder, log }))
  const journal = createMappedJournal(stored, { client, rsc })
  httpServer?.once('close', () => void journal.flush())
  const mapOwners = (stack: string) => mapServerStack(stack, rsc)
  const mapStack = createStackMapper({ root, buildDir, currentBuildId: null })
  const failures = createDevFailures({ journal, root, mapStack })
  const devLog = createDevLog(server, failures, { client, rsc })
  const { findNames } = api
  const actions = createDevActions(manager, { rsc, ssr, client }, { appDir, findNames })
  let cache: Promise<CacheDriver> | undefined
  let ownJournal: Promise<void> | null = null

  // What `waymark start` does once. Edits create new entries.
  const prepared = new WeakMap<DevEntry, Promise<void>>()
  async function prepareEntry(entry: DevEntry): Promise<void> {
    entry.attachJournal(journal)
    entry.attachActions(actions)
    entry.attachLog(devLog.logEntry)
    entry.attachStackMap(mapOwners)
    api.reportOutside = entry.reportOutside
    const { env } = process
    // Otherwise each entry has a cache in memory, which forgets what an edit may have changed.
    ownJournal ??= entry.openJournal?.().then(stored.attach) ?? null
    await ownJournal
    if (entry.openCache || env.WAYMARK_REDIS_URL || env.WAYMARK_CACHE_DIR) {
      cache ??=
        entry.openCache?.() ??
        openCacheDriver({ env, folder: path.join(buildDir, buildLayout.cache), log })
      entry.attachCache(await cache)
    }
    await entry.register()
  }
  const prepare = (entry: DevEntry) => {
    const preparing = prepared.get(entry) ?? prepareEntry(entry)
    prepared.set(entry, preparing)
    return preparing
  }

  const { hmr } = config.server
  const hasOverlay = typeof hmr !== 'object' || hmr.overlay !== false
  const loadEntry = async () => {
    const entry = await rsc.runner.import<DevEntry>(entries.rsc)
    await prepare(entry)
    return entry
  }
  const mcp = createDevTools({ appDir, journal, detailOf: failures.detailOf, loadEntry })
  return { loadEntry, mcp, failures, devLog, journal, hasOverlay, base, basePath, root, theme }
}

async function handleRequest(dev: DevServer, req: DevRequest, res: ServerResponse): Promise<void> {
  const origin = readOrigin(req, () => false)
  const target = readTarget(req.originalUrl ?? req.url)
  if (origin === null || target === null) return refuse(res, 400, ['connection', 'close'])
  if (isForbiddenMethod(req.method)) return refuse(res, 405, ['allow', allow])
  const path = unmounted(target, dev.basePath) ?? ''
  if (path.startsWith(assetsPrefix)) return refuse(res, 404)
  const journalPage = await respondJournalPage(path, dev)
  if (journalPage) return writeResponse(res, journalPage)
  if (path.split('?', 1)[0] === mcpPath) return writeResponse(res, await dev.mcp(req))
  const handle = await createDevHandle(dev)
  await writeResponse(res, await handle(createServerRequest(req, res, { origin, target })))
}

/** The app's handler, with the failures of the request in its document; or why there is none. */
async function createDevHandle(dev: DevServer): Promise<Handle> {
  const { loadEntry, failures, devLog, hasOverlay, base, theme } = dev
  const own: DevFailure[] = []
  const page = { base, errors: () => own }
  let entry: DevEntry
  try {
    entry = await announceLong(loadEntry(), () => 'Loading the app…')
  } catch (thrown) {
    const digest = createDigest(Date.now(), Math.random())
    own.push(failures.add(thrown, digest))
    devLog.logThrown(thrown)
    return async () => errorPage(page, theme, digest)
  }
  const handle = entry.observedHandler((thrown, digest) => {
    if (!own.some((other) => other.digest === digest)) own.push(failures.add(thrown, digest))
  })
  return async (request) => {
    const response = await handle(request)
    // With a page's data, the browser gets the digest, by which it loads the rest.
    return hasOverlay && hasBody(response, 'text/html') ? withFailures(response, page) : response
  }
}

type WatchOptions = Exclude<ServerOptions['watch'], undefined>

/**
 * Excludes the build folder, which the dev server writes itself: a page that fails would be
 * reloaded for its own entry in the journal, fail again, and so on.
 * @param given by the app's configuration; `null` watches nothing
 */
export function watchOptions(given: WatchOptions | undefined, buildDir: string): WatchOptions {
  if (given === null) return null
  const folder = normalizePath(buildDir)
  const isOwn = (file: string) => `${normalizePath(file)}/`.startsWith(`${folder}/`)
  return { ignored: [isOwn] }
}

/**
 * Tells whether Vite's middlewares can't handle a request target: `*`, one with a host in it, one
 * that begins with two slashes. Some make them hang, others end the process.
 */
export function isNonCanonicalTarget(url: string | undefined): boolean {
  return url === undefined || !url.startsWith('/') || url.startsWith('//')
}

// The app refuses an invalid host.
const absoluteForm = /^https?:\/\/((?:[\w.~-]+|\[[\da-f:.]+\])(?::\d+)?)((?:[/?].*)?)$/is

/**
 * Splits a target in absolute form. Its host replaces the `Host` header, so Vite has to check it.
 * @returns `null` for a target in another form
 * @see RFC 9112 §3.2.2
 */
export function splitAbsolute(
  url: string | undefined,
): { readonly host: string; readonly target: string } | null {
  const [, host, rest = ''] = absoluteForm.exec(url ?? '') ?? []
  if (host === undefined) return null
  return { host, target: rest.startsWith('/') ? rest : `/${rest}` }
}

/**
 * Handles requests that Vite's middlewares can't. Those with a target in absolute form go to Vite
 * with their host in the header.
 * @param handle responds instead of Vite
 * @param isForApp of others, as those outside of `basePath`, which Vite would respond to itself
 */
export function respondToNonCanonical(
  httpServer: ViteDevServer['httpServer'],
  handle: RequestListener,
  isForApp: (url: string) => boolean = () => false,
): void {
  if (httpServer === null) return
  // Not a middleware: their stack parses the target first.
  const listeners = httpServer.listeners('request') as RequestListener[]
  httpServer.removeAllListeners('request')
  httpServer.on('request', (req, res) => {
    const absolute = splitAbsolute(req.url)
    if (absolute !== null) {
      req.url = absolute.target
      req.headers.host = absolute.host
    }
    const isOurs = isNonCanonicalTarget(req.url) || isForApp(req.url ?? '')
    const chosen = isOurs ? [handle] : listeners
    for (const listener of chosen) listener.call(httpServer, req, res)
  })
}
