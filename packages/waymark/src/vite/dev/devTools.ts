import { fileURLToPath } from 'node:url'
import type { CacheEntry, InvalidationMode } from '../../cache/cacheDriver.ts'
import { arrivals } from '../../devtools/arrivals.ts'
import type { EventLog } from '../../devtools/eventLog.ts'
import { detailJson, type EntryDetail } from '../../journal/detail.ts'
import type { JournalDriver } from '../../journal/journalDriver.ts'
import { createMcpEndpoint } from '../../mcp/mcpEndpoint.ts'
import { waymarkVersion } from '../../node/version.ts'
import type { Prerenderer } from '../../shared/cachedPage.ts'
import { scanRoutes } from '../routes/scanRoutes.ts'

/** What the tools use of the `rsc` environment's entry. */
export type InspectedEntry = {
  readonly prerenderer: Pick<Prerenderer, 'render'>
  readonly inspectedCache: {
    list(): readonly { readonly key: string; readonly entry: CacheEntry }[]
    invalidate(tags: readonly string[], mode: InvalidationMode): Promise<void>
  }
}

type DevToolsOptions = {
  readonly appDir: string
  readonly events: { readonly log: Pick<EventLog, 'list'> }
  readonly journal: JournalDriver
  readonly failures: { detailOf(digest: string): Promise<EntryDetail | null> }
  /** @throws what the app's code throws as it is loaded */
  loadEntry(): Promise<InspectedEntry>
}

const docs = fileURLToPath(new URL('../../docs', import.meta.url))

/** Creates the dev server's endpoint for agents. */
export function createDevTools({ appDir, events, failures, journal, loadEntry }: DevToolsOptions) {
  const app = {
    docs,
    journal,
    arrivals: () => arrivals(events.log.list()).reverse(),
    tree: () => scanRoutes(appDir),
    async rendering(pathname: string) {
      const rendered = await (await loadEntry()).prerenderer.render(pathname)
      if (rendered.kind === 'response') return { kind: 'static', reason: null }
      if (rendered.kind === 'partial') return { kind: 'partial', reason: null }
      if (rendered.kind === 'dynamic') return rendered
      return { kind: 'failed', reason: String(rendered.thrown) }
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
  return createMcpEndpoint({ app, version: waymarkVersion() })
}
