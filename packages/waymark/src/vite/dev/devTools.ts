import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ViteDevServer } from 'vite'
import type { CacheEntry, InvalidationMode } from '../../cache/cacheDriver.ts'
import { arrivals } from '../../devtools/arrivals.ts'
import { findDynamicPlace } from '../../devtools/dynamicPlace.ts'
import type { EventLog } from '../../devtools/eventLog.ts'
import {
  createPanelEndpoint,
  devtoolsPrefix,
  type PanelFaults,
  withMark,
} from '../../devtools/panelEndpoint.ts'
import { detailJson, type EntryDetail } from '../../journal/detail.ts'
import type { JournalDriver } from '../../journal/journalDriver.ts'
import type { MapStack } from '../../journal/sourceMaps.ts'
import { createMcpEndpoint, mcpPath } from '../../mcp/mcpEndpoint.ts'
import type { Rendering } from '../../mcp/tools.ts'
import type { LoadPackage } from '../../node/appPackages.ts'
import { waymarkVersion } from '../../node/version.ts'
import type { Prerenderer } from '../../shared/cachedPage.ts'
import type { HandlerResponse } from '../../shared/response.ts'
import type { ResolvedOptions } from '../config/pluginOptions.ts'
import { scanRoutes } from '../routes/scanRoutes.ts'
import { isSameOrigin } from './devSecurity.ts'
import { devPage } from './errorPage.ts'

/** What the tools use of the `rsc` environment's entry. */
export type InspectedEntry = {
  readonly prerenderer: Pick<Prerenderer, 'render'>
  readonly inspectedCache: {
    list(): readonly { readonly key: string; readonly entry: CacheEntry }[]
    invalidate(tags: readonly string[], mode: InvalidationMode): Promise<void>
  }
}

type DevToolsOptions = {
  readonly server: ViteDevServer
  readonly options: Pick<ResolvedOptions, 'appDir' | 'buildDir' | 'basePath' | 'devtools' | 'theme'>
  readonly events: { readonly log: Pick<EventLog, 'list'> }
  readonly journal: JournalDriver
  readonly loadPackage: LoadPackage
  readonly mapStack: MapStack
  readonly failures: { detailOf(digest: string): Promise<EntryDetail | null> }
  /** @throws what the app's code throws as it is loaded */
  loadEntry(): Promise<InspectedEntry>
}

type DevFaults = PanelFaults & {
  breakRequests(req: IncomingMessage, res: ServerResponse, next: () => void): void
}

/** What the dev server uses of `@waymark/testing`. */
type Testing = {
  createDevFaults(options: { basePath: string; origin: () => string | null }): DevFaults
  drillPage(drill: {
    root: string
    origin: string
    pathname: string
    fault: string
    pictures: string
  }): Promise<readonly unknown[]>
}

const docs = fileURLToPath(new URL('../../docs', import.meta.url))

/** Creates the dev server's endpoints for agents and for the panel in the page. */
export function createDevTools(given: DevToolsOptions) {
  const { options, events, failures, journal, mapStack, loadEntry } = given
  const { appDir, basePath, devtools: hasPanel, theme } = options
  const app = {
    docs,
    journal,
    appDir,
    arrivals: () => arrivals(events.log.list()).reverse(),
    drill: createPageDrill(given),
    tree: () => scanRoutes(appDir),
    async rendering(pathname: string, files: readonly string[]): Promise<Rendering> {
      const rendered = await (await loadEntry()).prerenderer.render(pathname)
      if (rendered.kind === 'response') return { kind: 'static', reason: null, place: null }
      if (rendered.kind === 'partial') return { kind: 'partial', reason: null, place: null }
      if (rendered.kind === 'failed') {
        return { kind: 'failed', reason: String(rendered.thrown), place: null }
      }
      const { kind, reason, stack } = rendered
      return { kind, reason, place: await findDynamicPlace({ reason, stack, files }, mapStack) }
    },
    async errorDetail(digest: string) {
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
    async invalidate(tags: readonly string[], mode: InvalidationMode) {
      await (await loadEntry()).inspectedCache.invalidate(tags, mode)
    },
  }
  const mcp = createMcpEndpoint({ app, version: waymarkVersion() })
  const dockPage = (source: string) => {
    const body = `<script type="module" src="${source}"></script>`
    return devPage({ title: 'Waymark devtools', head: '', body, theme })
  }
  const { load: loadFaults, breakRequests } = createFaults(given)
  const panel = createPanelEndpoint({ app, loadFaults, dockPage, basePath, isSameOrigin })
  return {
    /** A middleware: the faults that browsers have switched on. */
    breakRequests: hasPanel ? breakRequests : null,
    /** Puts the panel's mark into a document. */
    mark: (response: HandlerResponse) => (hasPanel ? withMark(response, basePath) : response),
    /** @returns `null` for what is the app's to respond to */
    async respond(target: string, req: IncomingMessage): Promise<HandlerResponse | null> {
      if (target.split('?', 1)[0] === mcpPath) return mcp(req)
      const isForPanel = hasPanel && target.startsWith(devtoolsPrefix)
      return isForPanel ? panel(req, target.slice(devtoolsPrefix.length - 1)) : null
    },
  }
}

/** Where a dev server reaches itself; `null` within the server of another program, or over TLS. */
function ownOrigin({ httpServer, config }: ViteDevServer): string | null {
  const address = httpServer?.address()
  if (!address || typeof address === 'string' || config.server.https) return null
  return `http://localhost:${address.port}`
}

/** Creates the faults that browsers switch on; no request is broken before they are loaded. */
function createFaults({ server, options: { basePath }, loadPackage }: DevToolsOptions) {
  let loaded: DevFaults | null = null
  return {
    async load(): Promise<DevFaults> {
      const { createDevFaults } = await loadTesting(loadPackage, 'The tab Faults')
      loaded ??= createDevFaults({ basePath, origin: () => ownOrigin(server) })
      return loaded
    },
    breakRequests(req: IncomingMessage, res: ServerResponse, next: () => void): void {
      if (loaded) loaded.breakRequests(req, res, next)
      else next()
    },
  }
}

async function loadTesting(load: LoadPackage, neededFor: string): Promise<Testing> {
  return (await load('@waymark/testing/internal/dev', neededFor)) as Testing
}

/** Creates what breaks a load of a page: one after the other, for each has a browser. */
function createPageDrill({ server, options: { buildDir }, loadPackage }: DevToolsOptions) {
  let last: Promise<unknown> = Promise.resolve()
  return (pathname: string, fault: string) => {
    const run = async () => {
      const origin = ownOrigin(server)
      if (origin === null) {
        throw new Error('It needs a dev server of its own, without TLS: run waymark dev.')
      }
      const { drillPage } = await loadTesting(loadPackage, 'The tool drill')
      const { root } = server.config
      const pictures = path.join(buildDir, 'drill')
      return drillPage({ root, origin, pathname, fault, pictures })
    }
    const drilled = last.then(run)
    last = drilled.catch(() => {})
    return drilled
  }
}
