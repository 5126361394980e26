import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { getPluginApi } from '@vitejs/plugin-rsc'
import { isRunnableDevEnvironment, type Plugin, type RunnableDevEnvironment } from 'vite'
import type { JournalDriver } from '../../journal/driver.ts'
import { createFilesJournal } from '../../journal/files.ts'
import { createStackMapper } from '../../journal/sourceMaps.ts'
import { allow, isForbiddenMethod } from '../../node/malformed.ts'
import { readOrigin, readTarget } from '../../node/origin.ts'
import { refuse } from '../../node/refuse.ts'
import { createServerRequest } from '../../node/request.ts'
import { writeResponse } from '../../node/respond.ts'
import type { Handle, HandlerResponse } from '../../shared/answer.ts'
import { buildLayout } from '../../shared/build.ts'
import { assetsPrefix } from '../../shared/protocol.ts'
import { createDevActions, type DevActions } from '../actions/devActions.ts'
import type { FindNames } from '../actions/importedNamesPlugin.ts'
import { entries } from '../environmentsPlugin.ts'
import type { ResolvedOptions } from '../options.ts'
import { corsOptions } from './corsOptions.ts'
import { denyOptions } from './denyOptions.ts'
import { type CachingEntry, createDevCache } from './devCache.ts'
import { createDevFailures, type DevFailure } from './devFailures.ts'
import { errorPage } from './errorPage.ts'
import { createFailureReport } from './failureReport.ts'
import { type JournalPagesOptions, respondJournalPage } from './journalPages.ts'
import { createMappedJournal } from './mappedJournal.ts'
import { respondToNonCanonical } from './oddTargets.ts'
import { editorPath, refuseForeign } from './sameOrigin.ts'
import { watchOptions } from './watchOptions.ts'
import { hasBody, withFailures } from './withFailures.ts'

/** What the `rsc` environment's entry exports for the dev server. */
type DevEntry = CachingEntry & {
  observedHandler(onFailure: (thrown: unknown, digest: string) => void): Handle
  reportOutside(thrown: unknown): string
  attachActions(actions: DevActions): void
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
      const kept = createFilesJournal({ folder: path.join(buildDir, buildLayout.journal), log })
      const attachCache = createDevCache(path.join(buildDir, buildLayout.cache), log)
      const journal = createMappedJournal(kept, client)
      server.httpServer?.once('close', () => void journal.flush())
      const { manager } = getPluginApi(server.config) ?? {}
      if (!manager) throw new Error('plugin-rsc is missing from the plugins that waymark() made.')
      const { appDir } = api.options()
      const { findNames } = api
      const actions = createDevActions(manager, { rsc, ssr, client }, { appDir, findNames })
      const mapStack = createStackMapper({ root, buildDir, currentBuildId: null })
      const failures = createDevFailures({ journal, report, mapStack })
      const prepare = createPreparation(journal, (entry) => {
        entry.attachActions(actions)
        api.reportOutside = entry.reportOutside
        return attachCache(entry)
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
