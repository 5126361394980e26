import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { isRunnableDevEnvironment, type Plugin, type RunnableDevEnvironment } from 'vite'
import type { JournalDriver } from '../../journal/driver.ts'
import { createFilesJournal } from '../../journal/files.ts'
import { readOrigin, readTarget } from '../../node/origin.ts'
import { refuse } from '../../node/refuse.ts'
import { createServerRequest } from '../../node/request.ts'
import { writeAnswer } from '../../node/respond.ts'
import type { Answer, Handle } from '../../shared/answer.ts'
import { buildLayout } from '../../shared/build.ts'
import { assetsPrefix } from '../../shared/protocol.ts'
import type { ThemeConfig } from '../../theme/config.ts'
import { entries } from '../environmentsPlugin.ts'
import type { ResolvedOptions } from '../options.ts'
import { corsOptions } from './corsOptions.ts'
import { errorPage } from './errorPage.ts'
import { createFailureReport, type FailureReport } from './failureReport.ts'
import { answerOddTargets } from './oddTargets.ts'
import { hasBody, withFailures } from './withFailures.ts'

/** What the `rsc` environment's entry exports for the dev server. */
type DevEntry = {
  observedHandler(onFailure: (thrown: unknown) => void): Handle
  attachJournal(driver: JournalDriver): void
  register(): Promise<void>
}

type DevRequest = IncomingMessage & { originalUrl?: string | undefined }

const defaultPort = 3000

/** Answers the requests that Vite's own dev server leaves over, through the app's handler. */
export function devPlugin(options: () => ResolvedOptions): Plugin {
  return {
    name: 'waymark:dev',
    apply: 'serve',
    config: ({ server }) => ({
      server: {
        port: server?.port ?? defaultPort,
        strictPort: true,
        cors: corsOptions(server?.cors),
      },
    }),
    configureServer(server) {
      const { rsc, client } = server.environments
      if (!rsc || !isRunnableDevEnvironment(rsc) || !client) {
        throw new Error('waymark() configures an rsc environment that runs modules.')
      }
      const report = createFailureReport(server.config.root)
      const { hmr } = server.config.server
      const hasOverlay = typeof hmr !== 'object' || hmr.overlay !== false
      const onDataFailure = (thrown: unknown) => {
        client.hot.send({ type: 'error', err: report(thrown) })
      }
      const { base } = server.config
      const journal = createFilesJournal({
        folder: path.join(options().buildDir, buildLayout.journal),
        log: (line) => server.config.logger.error(line),
      })
      server.httpServer?.once('close', () => void journal.flush())
      const prepare = createPreparation(journal)
      const { theme } = options()
      const parts: DevParts = { rsc, prepare, report, onDataFailure, hasOverlay, base, theme }
      answerOddTargets(server.httpServer, (req, res) => {
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

type DevParts = {
  readonly rsc: RunnableDevEnvironment
  readonly prepare: (entry: DevEntry) => Promise<void>
  readonly report: FailureReport
  /** Hears of a failure that no document can show: a page that is open asked for data. */
  readonly onDataFailure: (thrown: unknown) => void
  /** Whether failures are shown over the pages that the app answers with. */
  readonly hasOverlay: boolean
  readonly base: string
  readonly theme: ThemeConfig
}

/** Makes what does for an entry, once, what `waymark start` does: edits make new ones. */
function createPreparation(journal: JournalDriver): (entry: DevEntry) => Promise<void> {
  const prepared = new WeakMap<DevEntry, Promise<void>>()
  return (entry) => {
    let preparing = prepared.get(entry)
    if (!preparing) {
      entry.attachJournal(journal)
      preparing = entry.register()
      prepared.set(entry, preparing)
    }
    return preparing
  }
}

async function answerRequest(parts: DevParts, req: DevRequest, res: ServerResponse): Promise<void> {
  const origin = readOrigin(req, () => false)
  const target = readTarget(req.originalUrl ?? req.url)
  if (origin === null || target === null) return refuse(res, 400, ['connection', 'close'])
  if (target.startsWith(assetsPrefix)) return refuse(res, 404)
  const handle = await createDevHandle(parts)
  await writeAnswer(res, await handle(createServerRequest(req, res, { origin, target })))
}

/** A handler that shows the failures it hears of; without the app's, it shows why there is none. */
async function createDevHandle(parts: DevParts): Promise<Handle> {
  const { rsc, prepare, report, onDataFailure, hasOverlay, base, theme } = parts
  const failures: unknown[] = []
  const page = { base, errors: () => failures.map(report) }
  let entry: DevEntry
  try {
    entry = await rsc.runner.import(entries.rsc)
    await prepare(entry)
  } catch (thrown) {
    failures.push(thrown)
    rsc.logger.error(report(thrown).message, { error: thrown as Error })
    return async () => errorPage(page, theme)
  }
  const handle = entry.observedHandler((thrown) => failures.push(thrown))
  return async (request) => {
    const answer: Answer = await handle(request)
    if (!hasOverlay) return answer
    if (hasBody(answer, 'text/html')) return withFailures(answer, page)
    for (const thrown of failures) onDataFailure(thrown)
    return answer
  }
}
