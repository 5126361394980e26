import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import path from 'node:path'
import { getPluginApi } from '@vitejs/plugin-rsc'
import {
  isRunnableDevEnvironment,
  normalizePath,
  type Plugin,
  type RunnableDevEnvironment,
  type ServerOptions,
  type ViteDevServer,
} from 'vite'
import type { CacheDriver } from '../../cache/cacheDriver.ts'
import { openCacheDriver } from '../../cache/openCacheDriver.ts'
import { createFilesJournal } from '../../journal/files/fileJournalDriver.ts'
import { createAttachableJournal, type JournalDriver } from '../../journal/journalDriver.ts'
import { createStackMapper } from '../../journal/sourceMaps.ts'
import { allow, isForbiddenMethod, refuse } from '../../node/refuse.ts'
import { createServerRequest, readOrigin, readTarget } from '../../node/request.ts'
import { writeResponse } from '../../node/writeResponse.ts'
import { buildLayout } from '../../shared/buildManifest.ts'
import { assetsPrefix } from '../../shared/protocol.ts'
import type { Handle, HandlerResponse } from '../../shared/response.ts'
import { entries } from '../config/environments.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { createDevActions, type DevActions, type FindNames } from '../routes/actionReachability.ts'
import { corsOptions, denyOptions, editorPath, refuseForeign } from './devSecurity.ts'
import { errorPage, hasBody, withFailures } from './errorPage.ts'
import { createDevFailures, createFailureReport, type DevFailure } from './failures.ts'
import {
  createMappedJournal,
  type JournalPagesOptions,
  respondJournalPage,
} from './journalPages.ts'

/** What the `rsc` environment's entry exports for the dev server. */
type DevEntry = CachingEntry & {
  observedHandler(onFailure: (thrown: unknown, digest: string) => void): Handle
  reportOutside(thrown: unknown): string
  attachActions(actions: DevActions): void
  readonly openJournal: (() => Promise<JournalDriver>) | null
  attachJournal(driver: JournalDriver): void
  register(): Promise<void>
}

type DevRequest = IncomingMessage & { originalUrl?: string | undefined }

/** What the dev server shares with whoever has started it. */
export type DevApi = {
  options(): ResolvedOptions
  readonly findNames: FindNames
  /** Reports what was thrown outside of any request; `null` until the app has been loaded. */
  reportOutside: ((thrown: unknown) => string) | null
}

const defaultPort = 3000

/** Answers the requests that Vite's own dev server leaves over, through the app's handler. */
export function devPlugin(api: DevApi): Plugin {
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
      const { rsc, ssr, client } = server.environments
      if (!rsc || !isRunnableDevEnvironment(rsc) || !ssr || !client) {
        throw new Error('waymark() configures an rsc environment that runs modules.')
      }
      const report = createFailureReport(server.config.root)
      const { hmr } = server.config.server
      const hasOverlay = typeof hmr !== 'object' || hmr.overlay !== false
      const { base, root } = server.config
      const { theme, buildDir } = api.options()
      const log = (line: string) => server.config.logger.error(line)
      const folder = path.join(buildDir, buildLayout.journal)
      const stored = createAttachableJournal(createFilesJournal({ folder, log }))
      const attachCache = createDevCache(path.join(buildDir, buildLayout.cache), log)
      const journal = createMappedJournal(stored, client)
      let ownJournal: Promise<void> | null = null
      server.httpServer?.once('close', () => void journal.flush())
      const { manager } = getPluginApi(server.config) ?? {}
      if (!manager) throw new Error('plugin-rsc is missing from the plugins that waymark() made.')
      const { appDir } = api.options()
      const { findNames } = api
      const actions = createDevActions(manager, { rsc, ssr, client }, { appDir, findNames })
      const mapStack = createStackMapper({ root, buildDir, currentBuildId: null })
      const failures = createDevFailures({ journal, report, mapStack })
      const prepare = createPreparation(journal, async (entry) => {
        entry.attachActions(actions)
        api.reportOutside = entry.reportOutside
        ownJournal ??= entry.openJournal?.().then(stored.attach) ?? null
        await ownJournal
        await attachCache(entry)
      })
      const parts: DevOptions = { rsc, prepare, failures, journal, hasOverlay, base, root, theme }
      for (const path of new Set([editorPath, `${base}${editorPath.slice(1)}`])) {
        server.middlewares.use(path, refuseForeign)
      }
      respondToNonCanonical(server.httpServer, (req, res) => {
        answerRequest(parts, req, res).catch(() => refuse(res, 500))
      })
      return () => {
        server.middlewares.use((req: DevRequest, res, next) => {
          answerRequest(parts, req, res).catch(next)
        })
      }
    },
  }
}

type DevOptions = JournalPagesOptions & {
  readonly rsc: RunnableDevEnvironment
  readonly prepare: (entry: DevEntry) => Promise<void>
  readonly base: string
}

/** Makes what does for an entry, once, what `waymark start` does: edits make new ones. */
function createPreparation(
  journal: JournalDriver,
  onEntry: (entry: DevEntry) => Promise<void>,
): (entry: DevEntry) => Promise<void> {
  const prepared = new WeakMap<DevEntry, Promise<void>>()
  return (entry) => {
    let preparing = prepared.get(entry)
    if (!preparing) {
      entry.attachJournal(journal)
      preparing = onEntry(entry).then(entry.register)
      prepared.set(entry, preparing)
    }
    return preparing
  }
}

async function answerRequest(
  parts: DevOptions,
  req: DevRequest,
  res: ServerResponse,
): Promise<void> {
  const origin = readOrigin(req, () => false)
  const target = readTarget(req.originalUrl ?? req.url)
  if (origin === null || target === null) return refuse(res, 400, ['connection', 'close'])
  if (isForbiddenMethod(req.method)) return refuse(res, 405, ['allow', allow])
  if (target.startsWith(assetsPrefix)) return refuse(res, 404)
  const journalPage = await respondJournalPage(target, parts)
  if (journalPage) return writeResponse(res, journalPage)
  const handle = await createDevHandle(parts)
  await writeResponse(res, await handle(createServerRequest(req, res, { origin, target })))
}

/** A handler that shows the failures it hears of; without the app's, it shows why there is none. */
async function createDevHandle(parts: DevOptions): Promise<Handle> {
  const { rsc, prepare, failures, hasOverlay, base, theme } = parts
  const own: DevFailure[] = []
  const page = { base, errors: () => own }
  let entry: DevEntry
  try {
    entry = await rsc.runner.import(entries.rsc)
    await prepare(entry)
  } catch (thrown) {
    const failure = failures.add(thrown, null)
    own.push(failure)
    rsc.logger.error(failure.message, { error: thrown as Error })
    return async () => errorPage(page, theme)
  }
  const handle = entry.observedHandler((thrown, digest) => {
    if (!own.some((other) => other.digest === digest)) own.push(failures.add(thrown, digest))
  })
  return async (request) => {
    const answer: HandlerResponse = await handle(request)
    // The data of a page tells its browser the digest, which asks for the rest.
    return hasOverlay && hasBody(answer, 'text/html') ? withFailures(answer, page) : answer
  }
}

type WatchOptions = Exclude<ServerOptions['watch'], undefined>

/**
 * Keeps the dev server from taking for a change of the app what it writes itself: a page that
 * fails would be loaded again for its own entry in the journal, and fail, and so on.
 * @param given by the app's configuration; `null` watches nothing
 */
export function watchOptions(given: WatchOptions | undefined, buildDir: string): WatchOptions {
  if (given === null) return null
  const folder = normalizePath(buildDir)
  const isOwn = (file: string) => `${normalizePath(file)}/`.startsWith(`${folder}/`)
  return { ignored: [isOwn] }
}

/**
 * Tells whether a request target is one that Vite's middlewares are not made for: `*`, one with a
 * host in it, one that begins with two slashes. They hang on some, and end the process on others.
 */
export function isNonCanonicalTarget(url: string | undefined): boolean {
  return url === undefined || !url.startsWith('/') || url.startsWith('//')
}

// A host that can be none is for the app to refuse.
const absoluteForm = /^https?:\/\/((?:[\w.~-]+|\[[\da-f:.]+\])(?::\d+)?)((?:[/?].*)?)$/is

/**
 * Takes the host out of a target in absolute form. It counts in place of the `Host` header, so it
 * is what Vite has to check.
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
 * Has the app answer requests with an odd target, before Vite sees them. Those in absolute form go
 * to Vite with their host in the header.
 * @param answer answers in place of the dev server
 */
export function respondToNonCanonical(
  httpServer: ViteDevServer['httpServer'],
  answer: RequestListener,
): void {
  if (httpServer === null) return
  // A middleware would come too late: the stack that it stands in parses the target first.
  const listeners = httpServer.listeners('request') as RequestListener[]
  httpServer.removeAllListeners('request')
  httpServer.on('request', (req, res) => {
    const absolute = splitAbsolute(req.url)
    if (absolute !== null) {
      req.url = absolute.target
      req.headers.host = absolute.host
    }
    const chosen = isNonCanonicalTarget(req.url) ? [answer] : listeners
    for (const listener of chosen) listener.call(httpServer, req, res)
  })
}

/** What the dev server keeps a cache with: an entry of the app, or what an edit made of it. */
export type CachingEntry = {
  readonly openCache: (() => Promise<CacheDriver>) | null
  attachCache(driver: CacheDriver): void
}

/**
 * Makes what gives entries the cache of server.ts, or the one that the environment names: opened
 * once, whatever is edited. Without one they have their own memory, which forgets what an edit may
 * have changed.
 */
export function createDevCache(folder: string, log: (line: string) => void) {
  let opening: Promise<CacheDriver> | null = null
  return async (entry: CachingEntry): Promise<void> => {
    const { env } = process
    if (!entry.openCache && !env.WAYMARK_REDIS_URL && !env.WAYMARK_CACHE_DIR) return
    opening ??= entry.openCache?.() ?? openCacheDriver({ env, folder, log })
    entry.attachCache(await opening)
  }
}
