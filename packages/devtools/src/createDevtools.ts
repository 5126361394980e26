import {
  type Devtools,
  type HandlerResponse,
  type InspectedServer,
  writeResponse,
} from 'waymark/internal/devtools'
import { findDynamicPlace } from './dynamicPlace.ts'
import { arrivals } from './events/arrivals.ts'
import type { EventLog } from './events/eventLog.ts'
import { eventsPath } from './events/events.ts'
import { recordEvents } from './events/serverEvents.ts'
import { createFaults, createPageDrill } from './faults.ts'
import { createMcpEndpoint, mcpPath } from './mcp/mcpEndpoint.ts'
import type { InspectedApp, Rendering } from './mcp/tools.ts'
import { createPanelEndpoint, devtoolsPrefix, withMark } from './panelEndpoint.ts'

/** Creates the endpoints of a dev server for agents, for the panel in the page, and of its events. */
export function createDevtools(server: InspectedServer): Devtools {
  const { options, version, page, isSameOrigin } = server
  const { basePath, devtools: hasPanel } = options
  const events = recordEvents(server)
  const app = inspectApp(server, events.log)
  const mcp = createMcpEndpoint({ app, version })
  const { load: loadFaults, breakRequests } = createFaults(server)
  const dockPage = (script: string) =>
    page('Waymark devtools', `<script type="module" src="${script}"></script>`)
  const panel = createPanelEndpoint({ app, loadFaults, dockPage, basePath, isSameOrigin })
  const write = async (res: Parameters<typeof writeResponse>[0], response: HandlerResponse) => {
    await writeResponse(res, response)
    return true
  }
  return {
    tracer: events.tracer,
    follow: events.follow,
    breakRequests: hasPanel ? breakRequests : null,
    mark: (response) => (hasPanel ? withMark(response, basePath) : response),
    async handle({ req, res, target }) {
      const [pathname] = target.split('?', 1)
      if (pathname === mcpPath) return write(res, await mcp(req))
      if (pathname === eventsPath) {
        const response = events.respond(req, res)
        return response ? write(res, response) : true
      }
      if (!hasPanel || !target.startsWith(devtoolsPrefix)) return false
      return write(res, await panel(req, target.slice(devtoolsPrefix.length - 1)))
    },
  }
}

/** What the tools and the tabs of the panel read of the app. */
function inspectApp(server: InspectedServer, log: Pick<EventLog, 'list'>): InspectedApp {
  const { options, docs, journal, mapStack, tree, loadEntry, errorDetail } = server
  return {
    ...{ docs, journal, tree, errorDetail },
    appDir: options.appDir,
    arrivals: () => arrivals(log.list()).reverse(),
    drill: createPageDrill(server),
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
