import { type CachedPage, listCachedPages, readCacheHeader } from '../shared/cachedPage.ts'
import { cacheNameOf, deletePrivateCaches, isOfCookie, listCaches } from '../shared/cacheNames.ts'
import { type ClientState, screenPath, type WorkerSettings } from '../shared/messages.ts'
import { pagesToDrop } from './budget.ts'
import { hrefOf, scope } from './scope.ts'

export type PageStore = ReturnType<typeof createPageStore>

/** Fraction of the browser's storage quota that is reserved for the app. */
const leftShare = 0.1

/** Stores pages and their files in the browser's cache storage, in a cache for each build. */
export function createPageStore(settings: WorkerSettings, storage: CacheStorage) {
  const { build, basePath, precache, maxBytes } = settings
  const list = () => listCachedPages(storage, basePath)
  const listAll = () => listCaches(storage, basePath)
  const open = (build: string) => storage.open(cacheNameOf(basePath, { build, seal: null }))
  /** Deletes pages of a user who has signed out while no page was open to notice. */
  const forgetFormerUser = async () => {
    const { cookieStore } = scope
    if (!cookieStore) return
    const userCookie = await cookieStore.get(settings.userCookie).catch(() => null)
    const cookie = userCookie?.value ?? null
    await deletePrivateCaches(storage, basePath, (seal) => isOfCookie(seal, cookie))
  }
  const isPinned = (page: CachedPage) =>
    page.build === build && precache.some(({ document }) => document === page.url)

  return {
    /** Opens this build's cache for public pages. */
    publicCache: () => open(build),
    list,
    /**
     * Deletes pages until the remaining ones fit.
     * @param share fraction of the space that pages may take up
     */
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
    /** Removes a page of this build that may no longer be cached. */
    async remove(url: string): Promise<void> {
      await drop(
        storage,
        (await list()).filter((page) => page.build === build && page.url === url),
      )
    },
    /**
     * Finds a cached response, first in the build of the client or of this worker, then in the others.
     * @param client the client that asks; `null` for a document, which has no client yet
     */
    async find(url: string, client: ClientState | null = null): Promise<Response | undefined> {
      await forgetFormerUser()
      const latest = await listAll()
      const first = client?.build ?? build
      const ofFirst = latest.filter((cache) => cache.build === first)
      for (const { name, seal } of [...ofFirst, ...latest]) {
        if (client && seal !== null && seal !== client.seal) continue
        const cached = await storage.match(url, { cacheName: name })
        // Files, unlike pages, have no expiry time.
        if (cached && Date.now() < (readCacheHeader(cached)?.expiresAtMs ?? Infinity)) return cached
      }
      return undefined
    },
    forgetFormerUser,
    /** Deletes the pages of all users, or of all but one. */
    forgetPrivate: (except: string | null) =>
      deletePrivateCaches(storage, basePath, (seal) => seal === except),
    /** Lists the other builds that have cached pages, newest first. */
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

/** @returns the bytes by which the app exceeds its share of the quota, as a negative number; 0 if there is room */
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

/** Deletes files that no page of a build refers to, such as the files of deleted or incomplete pages. */
async function dropUnnamed(cache: Cache, named: readonly string[]): Promise<void> {
  const hrefs = named.map(hrefOf)
  for (const request of await cache.keys()) {
    if (!hrefs.includes(request.url)) await cache.delete(request)
  }
}
