import type { HandlerResponse } from 'waymark/plugin'
import {
  type Devtools,
  type InspectedServer,
  type ReceivedRequest,
  refuseOtherClients,
} from 'waymark/plugin/dev'
import { createInspectedContract } from './contract.ts'
import { docsFolders } from './docsFolders.ts'
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
  /** False to show neither the panel nor its shortcut. Default: `true`. */
  readonly panel?: boolean
}

/** Creates the dev server's endpoints for agents, for the panel, and for events. */
export function createDevtools(server: InspectedServer, options: DevtoolsOptions): Devtools {
  const { basePath, journal, toolPage, version } = server
  const hasPanel = options.panel !== false
  const { record, log, follow, respond: respondEvents } = recordEvents(server)
  const app = inspectApp(server, log)
  const mcp = createMcpEndpoint({ app, version })
  const { load: loadFaults, breakRequests } = createFaults(server)
  const dockPage = (source: string) => {
    const body = `<script type="module" src="${source}"></script>`
    return toolPage({ title: 'Waymark devtools', head: '', body })
  }
  const panel = createPanelEndpoint({ app, loadFaults, dockPage, basePath })
  return {
    record,
    follow,
    middleware: breakRequests,
    transformDocument: (response) => (hasPanel ? withMark(response, basePath) : response),
    async handle(request) {
      const { req, res, target } = request
      const [pathname = ''] = target.split('?', 1)
      const refused = pathname.startsWith(journal.path) ? refuseOtherClients(req, 'browser') : null
      if (refused) return send(request, refused)
      const journalPage = await respondJournalPage(pathname, server)
      if (journalPage) return send(request, journalPage)
      if (pathname === mcpPath) return send(request, await mcp(req))
      if (pathname === eventsPath) return send(request, respondEvents(req, res))
      if (!hasPanel || !target.startsWith(devtoolsPrefix)) return false
      return send(request, await panel(req, target.slice(devtoolsPrefix.length - 1)))
    },
  }
}

/** @param response the response to send; `null` if a handler is already streaming the response */
async function send(request: ReceivedRequest, response: HandlerResponse | null): Promise<true> {
  if (response) await request.send(response)
  return true
}

/** Creates the functions with which agents' tools and the panel's tabs inspect the app. */
function inspectApp(server: InspectedServer, log: Pick<EventLog, 'list'>): InspectedApp {
  const { root, appDir, routes, journal, cache } = server
  return {
    routes,
    journal,
    cache,
    contract: createInspectedContract(server),
    appDir,
    docs: docsFolders(root),
    arrivals: () => arrivals(log.list()).reverse(),
    drill: createPageDrill(server),
    replay: createReplay(server),
    async rendering(pathname, files): Promise<Rendering> {
      const page = await server.render(pathname)
      const { kind, reason } = page
      const place = kind === 'dynamic' ? await findDynamicPlace(page, files) : null
      return { kind, reason, place }
    },
  }
}
