import type { ServerResponse } from 'node:http'
import path from 'node:path'
import {
  type Devtools,
  detailJson,
  devPage,
  findPackage,
  type HandlerResponse,
  type InspectedServer,
  isFromThisMachine,
  journalPath,
  refusedToOthers,
  scanRoutes,
  waymarkVersion,
  writeResponse,
} from 'waymark/internal/vite'
import { findDynamicPlace } from './dynamicPlace.ts'
import { arrivals } from './events/arrivals.ts'
import type { EventLog } from './events/eventLog.ts'
import { eventsPath } from './events/events.ts'
import { recordEvents } from './events/serverEvents.ts'
import { createFaults, createPageDrill, createReplay } from './faults.ts'
import { respondJournalPage } from './journalPages.ts'
import type { InspectedApp, Rendering } from './mcp/inspectedApp.ts'
import { createMcpEndpoint, mcpPath } from './mcp/mcpEndpoint.ts'
import { createPanelEndpoint, devtoolsPrefix, withMark } from './panelEndpoint.ts'

/** Options of `devtools()`. */
export type DevtoolsOptions = {
  /** Shows the panel in the page. Default `true`; `false` leaves it and its shortcut out. */
  readonly panel?: boolean
}

/** Creates the endpoints of a dev server for agents, for the panel in the page, and of its events. */
export function createDevtools(server: InspectedServer, options: DevtoolsOptions): Devtools {
  const { basePath, theme } = server.options
  const hasPanel = options.panel !== false
  const { tracer, log, follow, respond: respondEvents } = recordEvents(server)
  const app = inspectApp(server, log)
  const mcp = createMcpEndpoint({ app, version: waymarkVersion() })
  const { load: loadFaults, breakRequests } = createFaults(server)
  const dockPage = (source: string) => {
    const body = `<script type="module" src="${source}"></script>`
    return devPage({ title: 'Waymark devtools', head: '', body, theme })
  }
  const panel = createPanelEndpoint({ app, loadFaults, dockPage, basePath })
  return {
    tracer,
    follow,
    breakRequests,
    mark: (response) => (hasPanel ? withMark(response, basePath) : response),
    async handle({ req, res, target }) {
      const [pathname = ''] = target.split('?', 1)
      const isJournal = pathname.startsWith(journalPath)
      if (isJournal && !isFromThisMachine(req)) return write(res, refusedToOthers)
      const journalPage = await respondJournalPage(pathname, server)
      if (journalPage) return write(res, journalPage)
      if (pathname === mcpPath) return write(res, await mcp(req))
      if (pathname === eventsPath) return write(res, respondEvents(req, res))
      if (!hasPanel || !target.startsWith(devtoolsPrefix)) return false
      return write(res, await panel(req, target.slice(devtoolsPrefix.length - 1)))
    },
  }
}

/** @param response `null` where something else goes on writing it */
async function write(res: ServerResponse, response: HandlerResponse | null): Promise<true> {
  if (response) await writeResponse(res, response)
  return true
}

const packagesWithPages = [
  ...['waymark', 'next'],
  ...['arrivals', 'live', 'offline', 'testing'].map((name) => `@waymark/${name}`),
]

/** The folder of a package's pages of the guide; none where the app does not have it. */
function docsOf(name: string, root: string): string[] {
  const manifest = findPackage(`${name}/package.json`, root)
  return manifest === null ? [] : [path.join(manifest, '../dist/docs')]
}

/** What the tools and the tabs of the panel read of the app. */
function inspectApp(server: InspectedServer, log: Pick<EventLog, 'list'>): InspectedApp {
  const { options, journal, failures, mapStack, loadEntry } = server
  const { appDir, root } = options
  return {
    journal,
    appDir,
    docs: packagesWithPages.flatMap((name) => docsOf(name, root)),
    tree: () => scanRoutes(appDir),
    arrivals: () => arrivals(log.list()).reverse(),
    drill: createPageDrill(server),
    replay: createReplay(server),
    async rendering(pathname, files): Promise<Rendering> {
      const rendered = await (await loadEntry()).prerenderer.render(pathname)
      if (rendered.kind === 'response') return { kind: 'static', reason: null, place: null }
      if (rendered.kind === 'partial') return { kind: 'partial', reason: null, place: null }
      if (rendered.kind === 'failed') {
        return { kind: 'failed', reason: String(rendered.thrown), place: null }
      }
      const { kind, reason, stack } = rendered
      return { kind, reason, place: await findDynamicPlace({ reason, stack, files }, mapStack) }
    },
    async errorDetail(digest) {
      const detail = await failures.detailOf(digest)
      return detail && detailJson(detail)
    },
    async cacheEntries() {
      const { list } = (await loadEntry()).inspectedCache
      return list().map(
        ({ key, entry: { value, tags, storedAtMs, revalidateAtMs, expireAtMs } }) => {
          return { key, tags, bytes: value.length, storedAtMs, revalidateAtMs, expireAtMs }
        },
      )
    },
    async invalidate(tags, mode) {
      await (await loadEntry()).inspectedCache.invalidate(tags, mode)
    },
  }
}
