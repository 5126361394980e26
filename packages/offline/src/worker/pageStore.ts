import { cacheNameOf, deletePrivateCaches, listCaches } from '../shared/cacheNames.ts'
import { type KeptPage, listKept, readKept } from '../shared/keptEntry.ts'
import type { ClientState, WorkerSettings } from '../shared/messages.ts'
import { pagesToDrop, unusedFiles } from './budget.ts'

export type PageStore = ReturnType<typeof createPageStore>

/** What varies by what browsers accept is the same for a browser. */
const anyVary = { ignoreVary: true }

/** Part of what the browser allows that is left to the app. */
const leftShare = 0.1

/** Pages with their files, in the browser's cache storage: a cache for each build. */
export function createPageStore(settings: WorkerSettings, storage: CacheStorage) {
  const { build, ahead, maxBytes } = settings
  const list = () => listKept(storage)
  const isPinned = (page: KeptPage) =>
    page.build === build && ahead.some(({ document }) => document === page.url)

  return {
    /** Of this build: what is for all. */
    own: () => storage.open(cacheNameOf({ build, seal: null })),
    list,
    /** Makes room. @param share of the space that pages may take up */
    async trim(share = 1): Promise<void> {
      const { quota = Number.POSITIVE_INFINITY, usage = 0 } = await navigator.storage.estimate()
      const left = Math.min(0, quota * (1 - leftShare) - usage)
      const limits = { maxBytes: (maxBytes + left) * share, nowMs: Date.now(), isPinned }
      await drop(storage, pagesToDrop(await list(), limits))
    },
    /** Removes a page of this build that is not to be kept any more. */
    async remove(url: string): Promise<void> {
      await drop(
        storage,
        (await list()).filter((page) => page.build === build && page.url === url),
      )
    },
    /**
     * Finds what was kept at a URL: for a client in its own build first, then in this one.
     * @param client who asks; `null` for a document, which nobody asks for yet
     */
    async find(url: string, client: ClientState | null = null): Promise<Response | undefined> {
      const latest = (await listCaches(storage)).reverse()
      const first = client?.build ?? build
      const isFirst = (cache: { readonly build: string }) => Number(cache.build === first)
      for (const { name, seal } of latest.sort((a, b) => isFirst(b) - isFirst(a))) {
        if (client && seal !== null && seal !== client.seal) continue
        const found = await storage.match(url, { ...anyVary, cacheName: name })
        // Files have no date.
        if (found && Date.now() < (readKept(found)?.expiresAtMs ?? Infinity)) return found
      }
      return undefined
    },
    forgetPrivate: (exceptSeal: string) => deletePrivateCaches(storage, exceptSeal),
    /** Builds that pages are kept of, without this one, the latest first. */
    async formerBuilds(): Promise<string[]> {
      const builds = (await listCaches(storage)).map((cache) => cache.build).reverse()
      return [...new Set(builds)].filter((each) => each !== build)
    },
    async dropBuild(former: string): Promise<void> {
      for (const cache of await listCaches(storage)) {
        if (cache.build === former) await storage.delete(cache.name)
      }
    },
  }
}

/** Removes pages, and the files that nothing needs any more. */
async function drop(storage: CacheStorage, dropped: readonly KeptPage[]): Promise<void> {
  for (const page of dropped) {
    const cache = await storage.open(page.cache)
    await cache.delete(page.url, anyVary)
    await cache.delete(page.data, anyVary)
    const files = await storage.open(cacheNameOf({ build: page.build, seal: null }))
    const unused = unusedFiles(page, await listKept(storage))
    for (const [path] of unused) await files.delete(path, anyVary)
  }
}
