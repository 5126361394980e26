import { cacheNameOf, deletePrivateCaches, listCaches } from '../shared/cacheNames.ts'
import { isUsable, type KeptPage, listKept, readPart } from '../shared/keptEntry.ts'
import type { ClientState, WorkerSettings } from '../shared/messages.ts'
import { pagesToDrop, unusedFiles } from './budget.ts'

export type KeptPages = ReturnType<typeof createKeptPages>

/** Pages with their files, in the browser's cache storage: a cache for each build. */
export function createKeptPages(settings: WorkerSettings, storage: CacheStorage) {
  const { build } = settings
  const pinned = new Set(settings.ahead.map(({ document }) => document))
  const own = () => storage.open(cacheNameOf({ build, seal: null }))
  const list = () => listKept(storage)

  /** Removes pages, and the files that nothing needs any more. */
  async function drop(dropped: readonly KeptPage[]): Promise<void> {
    if (dropped.length === 0) return
    for (const { cache: name, url, data } of dropped) {
      const cache = await storage.open(name)
      await Promise.all([cache.delete(url, anyVary), cache.delete(data, anyVary)])
    }
    for (const { build, path } of unusedFiles(dropped, await list())) {
      await (await storage.open(cacheNameOf({ build, seal: null }))).delete(path, anyVary)
    }
  }

  return {
    own,
    list,
    /** Makes room. @param maxBytes at most what the settings say */
    async trim(maxBytes = settings.maxBytes): Promise<void> {
      const limit = Math.min(maxBytes, settings.maxBytes)
      const limits = { maxBytes: limit, nowMs: Date.now(), pinned, build }
      await drop(pagesToDrop(await list(), limits))
    },
    /** Removes a page of this build that is not to be kept any more. */
    async remove(url: string): Promise<void> {
      await drop((await list()).filter((page) => page.build === build && page.url === url))
    },
    /**
     * Finds what was kept at a URL: for a client in its own build first, then in this one.
     * @param client who asks; `null` for a document, which nobody asks for yet
     */
    async find(url: string, client: ClientState | null = null): Promise<Response | undefined> {
      for (const { name, seal } of sorted(await listCaches(storage), client?.build ?? build)) {
        if (client && seal !== null && seal !== client.seal) continue
        const found = await (await storage.open(name)).match(url, anyVary)
        const part = found && readPart(found.headers)
        if (found && (!part || isUsable(part, Date.now()))) return found
      }
      return undefined
    },
    forgetPrivate: (exceptSeal: string) => deletePrivateCaches(storage, exceptSeal),
    /** Builds that pages are kept of, without this one, the latest first. */
    async formerBuilds(): Promise<string[]> {
      const names = (await listCaches(storage)).map((cache) => cache.build).reverse()
      return [...new Set(names)].filter((each) => each !== build)
    },
    async dropBuild(former: string): Promise<void> {
      const names = (await listCaches(storage)).filter((cache) => cache.build === former)
      await Promise.all(names.map(({ name }) => storage.delete(name)))
    },
  }
}

/** What varies by what browsers accept is the same for a browser. */
const anyVary = { ignoreVary: true }

/** Those of a build first, then the latest. */
function sorted<T extends { readonly build: string }>(caches: readonly T[], first: string): T[] {
  const latest = [...caches].reverse()
  return [
    ...latest.filter(({ build }) => build === first),
    ...latest.filter(({ build }) => build !== first),
  ]
}
