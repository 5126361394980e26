import { type CachedPage, listCachedPages, readCacheHeader } from '../shared/cachedPage.ts'
import { cacheNameOf, deletePrivateCaches, isOfCookie, listCaches } from '../shared/cacheNames.ts'
import { type ClientState, screenPath, type WorkerSettings } from '../shared/messages.ts'
import { pagesToDrop } from './budget.ts'
import { hrefOf, scope } from './scope.ts'

export type PageStore = ReturnType<typeof createPageStore>

/** Part of what the browser allows that is left to the app. */
const leftShare = 0.1

/** Pages with their files, in the browser's cache storage: a cache for each build. */
export function createPageStore(settings: WorkerSettings, storage: CacheStorage) {
  const { build, basePath, ahead, maxBytes } = settings
  const list = () => listCachedPages(storage, basePath)
  const listAll = () => listCaches(storage, basePath)
  const open = (build: string) => storage.open(cacheNameOf(basePath, { build, seal: null }))
  /** Deletes pages of a user who has signed out, which no open page may have seen. */
  const forgetFormerUser = async () => {
    const { cookieStore } = scope
    if (!cookieStore) return
    const userCookie = await cookieStore.get(settings.userCookie).catch(() => null)
    const cookie = userCookie?.value ?? null
    await deletePrivateCaches(storage, basePath, (seal) => isOfCookie(seal, cookie))
  }
  const isPinned = (page: CachedPage) =>
    page.build === build && ahead.some(({ document }) => document === page.url)

  return {
    /** The cache of this build for public pages. */
    publicCache: () => open(build),
    list,
    /** Makes room. @param share of the space that pages may take up */
    async trim(share = 1): Promise<void> {
      const space = (maxBytes + (await missingSpace())) * share
      const limits = { maxBytes: space, nowMs: Date.now(), isPinned }
      const all = await list()
      const dropped = pagesToDrop(all, limits)
      await drop(storage, dropped)
      const left = all.filter((page) => !dropped.includes(page))
      const builds = new Set([build, ...dropped.map((page) => page.build)])
      const namedBy = (each: string) => [basePath + screenPath, ...urlsOf(left, each)]
      for (const each of builds) await dropUnnamed(await open(each), namedBy(each))
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
      await forgetFormerUser()
      const latest = await listAll()
      const first = client?.build ?? build
      const ofFirst = latest.filter((cache) => cache.build === first)
      for (const { name, seal } of [...ofFirst, ...latest]) {
        if (client && seal !== null && seal !== client.seal) continue
        const cached = await storage.match(url, { cacheName: name })
        // Files have no date.
        if (cached && Date.now() < (readCacheHeader(cached)?.expiresAtMs ?? Infinity)) return cached
      }
      return undefined
    },
    forgetFormerUser,
    /** Deletes the pages of all users, or of all but one. */
    forgetPrivate: (except: string | null) =>
      deletePrivateCaches(storage, basePath, (seal) => seal === except),
    /** Builds that pages are kept of, without this one, the latest first. */
    async formerBuilds(): Promise<string[]> {
      const builds = new Set((await listAll()).map((cache) => cache.build))
      return [...builds].filter((each) => each !== build)
    },
    async dropBuilds(builds: readonly string[]): Promise<void> {
      for (const cache of await listAll()) {
        if (builds.includes(cache.build)) await storage.delete(cache.name)
      }
    },
  }
}

/** @returns what is missing of the space that is to be left to the app, below 0 */
async function missingSpace(): Promise<number> {
  const { quota = Number.POSITIVE_INFINITY, usage = 0 } = await navigator.storage.estimate()
  return Math.min(0, quota * (1 - leftShare) - usage)
}

async function drop(storage: CacheStorage, dropped: readonly CachedPage[]): Promise<void> {
  for (const page of dropped) {
    const cache = await storage.open(page.cache)
    for (const url of [page.url, page.data]) await cache.delete(url)
  }
}

function urlsOf(pages: readonly CachedPage[], build: string): string[] {
  const pagesOfBuild = pages.filter((page) => page.build === build)
  return pagesOfBuild.flatMap(({ url, data, files }) => [url, data, ...files.map(([path]) => path)])
}

/** Drops what no page of a build names: files of pages that went, or were never kept whole. */
async function dropUnnamed(cache: Cache, named: readonly string[]): Promise<void> {
  const hrefs = named.map(hrefOf)
  for (const request of await cache.keys()) {
    if (!hrefs.includes(request.url)) await cache.delete(request)
  }
}
