import type {
  BuiltPage,
  CacheStatus,
  FindBuilt,
  PageCacheResponse,
} from '../../builds/cachedPage.ts'
import type { Cache } from '../../cache/cache.ts'
import type { CacheRead, Computed } from '../../cache/cacheEntry.ts'
import type { HandlerResponse } from '../../http/response.ts'
import { memoized, setBounded } from '../../shared/maps.ts'
import { isThenable, timedOut, withDeadline } from '../../shared/promises.ts'
import type { PartialShell } from '../../wire/payload.ts'
import { pagePathnameOf } from '../../wire/protocol.ts'
import { tagsOfPage } from '../request/pathTags.ts'
import { builtValue, decodeValue, type PageValue } from './codec.ts'
import { type CacheableUrl, type CachedValue, findCachedValue, toCachedResponse } from './lookup.ts'
import { type RegeneratedPage, type RegenerateOptions, regeneratePage } from './regenerate.ts'

/**
 * Page cache with incremental static regeneration: a static route's response is rendered once and
 * sent to many clients.
 */
export type PageCache = ReturnType<typeof createPageCache>

export type CachedShell =
  | {
      readonly kind: 'shell'
      readonly shell: PartialShell
      readonly state: CacheStatus
      /** Deletes the shell. It is rendered again after a while. */
      readonly discard: () => void
    }
  | { readonly kind: 'response'; readonly response: HandlerResponse }

export type PageCacheOptions = RegenerateOptions & {
  readonly cache: Cache
  readonly buildId: string
  readonly staticRoutes: readonly string[]
  readonly partialRoutes: readonly string[]
  /** Returns true if proxy.ts runs for a pathname. */
  readonly isGuarded?: (pathname: string) => boolean
  readonly now?: () => number
}

// Milliseconds that the first request for a page waits for a rendering to cache. After this time,
// the page is streamed to that request instead.
const waitForFirstMs = 3_000

// Milliseconds for which a page that turned out to be dynamic isn't tried again.
const perRequestMs = 60_000

export function createPageCache(options: PageCacheOptions) {
  const { cache, isGuarded = () => false, now = Date.now } = options
  const partialRoutes = new Set(options.partialRoutes)
  const routes = new Set([...options.staticRoutes, ...partialRoutes])
  const perRequest = createTtlSet(now)
  const built = createBuiltPages(options)
  const decodedOf = ({ value }: CacheRead) => decodeOnce(value)
  const read = createReader({ ...options, perRequest, built, decodedOf })
  // Make the build part of the key, because a different build's page may link to missing code.
  const keyOf = (pathname: string) => `page:${options.buildId}:${pathname}`
  const readShell = createShellReader({ ...options, perRequest, built, decodedOf, read })

  function find(target: string): PageCacheResponse | null {
    if (routes.size === 0) return null
    const { pathname, kind } = readTarget(target)
    // `isGuarded()` expects a canonical pathname. Only canonical pathnames are cached, so this one
    // is.
    const cached = peekFresh(keyOf(pathname))
    return cached && !isGuarded(pathname) ? findCachedValue(cached, kind, now()) : null
  }

  function peekFresh(key: string): CachedValue | null {
    const read = cache.peek(key)
    const value = read?.state === 'fresh' ? decodedOf(read) : null
    return read && value && { read, value }
  }

  async function respondByReading(key: string, url: CacheableUrl): Promise<HandlerResponse | null> {
    try {
      const cached = await firstRead(read(key, url))
      return cached && 'read' in cached && 'value' in cached
        ? built.send(cached, url, now())
        : cached
    } catch {
      // The refresh has reported the error. Let the request render the page itself, and show the
      // error.
      perRequest.set(key, waitForFirstMs)
      return null
    }
  }

  return {
    isStatic: (pattern: string): boolean => routes.has(pattern),
    find,
    /**
     * @returns `null` if the request must render the page itself. Not a promise if memory has a
     * fresh page
     */
    respond(url: CacheableUrl): HandlerResponse | null | Promise<HandlerResponse | null> {
      const key = keyOf(url.pathname)
      if (perRequest.has(key)) return null
      const fresh = peekFresh(key)
      const response = fresh && built.send(fresh, url, now())
      return response ?? respondByReading(key, url)
    },
    /** Returns true if a route is partially prerendered. Call `partial` for such a route. */
    isPartial: (pattern: string): boolean => partialRoutes.has(pattern),
    /** Returns a page's cached shell without waiting. Renders a missing shell in the background. */
    partial: (url: CacheableUrl) => readShell(keyOf(url.pathname), url),
    attachBuilt: built.attach,
  }
}

type ReadPage = ReturnType<typeof createReader>

type ReaderOptions = PageCacheOptions & {
  readonly perRequest: ReturnType<typeof createTtlSet>
  readonly built: BuiltPages
  readonly decodedOf: (read: CacheRead) => PageValue | null
}

function createReader(parts: ReaderOptions) {
  const { cache, perRequest, built, decodedOf } = parts
  // Keys of the pages that this process has stored, except the build's pages. The most recent one
  // is last.
  const stored = new Map<string, true>()

  async function readOnce(
    key: string,
    url: CacheableUrl,
  ): Promise<CachedValue | HandlerResponse | null> {
    let regenerated: RegeneratedPage | null = null
    const compute = async (): Promise<Computed> => {
      const wasCached = cache.peek(key) !== null
      regenerated = await regeneratePage({ ...url, wasCached }, parts)
      if (regenerated.isPerRequest) perRequest.set(key, perRequestMs)
      if (regenerated.computed.isShared && !built.has(url.pathname)) {
        const oldest = setBounded(stored, key, true, maxKeys)
        if (oldest !== undefined) void cache.delete(oldest)
      }
      return regenerated.computed
    }
    const read = await cache.read(key, compute, url)
    const uncached = (regenerated as RegeneratedPage | null)?.uncached
    if (uncached) return uncached[url.kind]
    const value = decodedOf(read)
    return value && { read, value }
  }

  return async function read(
    key: string,
    url: CacheableUrl,
  ): Promise<CachedValue | HandlerResponse | null> {
    await built.offer(key, url)
    const cached = await readOnce(key, url)
    if (cached !== null) return cached
    // The entry is damaged or in a different format.
    await cache.delete(key)
    return readOnce(key, url)
  }
}

function createShellReader(options: ReaderOptions & { readonly read: ReadPage }) {
  const { cache, perRequest, built, decodedOf, read, now = Date.now } = options
  return async function readShell(key: string, url: CacheableUrl): Promise<CachedShell | null> {
    if (perRequest.has(key)) return null
    await built.offer(key, url)
    const cached = cache.peek(key)
    if (cached?.state !== 'fresh') {
      read(key, url).catch(() => perRequest.set(key, waitForFirstMs))
    }
    const value = cached && decodedOf(cached)
    if (!value) return null
    if (value.kind !== 'partial') {
      const response = built.send({ read: cached, value }, url, now())
      return response && { kind: 'response', response }
    }
    const discard = () => {
      perRequest.set(key, perRequestMs)
      void cache.delete(key)
    }
    const state = cached.state === 'fresh' ? 'hit' : 'stale'
    return url.kind === 'data' ? null : { kind: 'shell', shell: value.shell, state, discard }
  }
}

type BuiltPages = ReturnType<typeof createBuiltPages>

/** Adds each of the build's pages to the cache on its first request. */
function createBuiltPages({ cache }: Pick<PageCacheOptions, 'cache'>) {
  const offers = new Map<string, Promise<void>>()
  let findBuilt: FindBuilt = () => null
  return {
    attach(find: FindBuilt) {
      findBuilt = find
    },
    has: (pathname: string) => findBuilt(pathname) !== null,
    /**
     * Sends a response. If the value refers to the build's files, the response comes from there.
     */
    send: (cached: CachedValue, url: CacheableUrl, nowMs: number) =>
      toCachedResponse(cached, url, { nowMs, built: findBuilt(url.pathname) }),
    offer(key: string, { pathname, pattern }: CacheableUrl): Promise<void> | undefined {
      const page = offers.has(key) ? null : findBuilt(pathname)
      if (page) {
        const seed = (value: Computed['value']) =>
          cache.seed(key, asBuilt(page, value, pathname, pattern), page.renderedAtMs)
        const value = page.readShell?.() ?? builtValue
        // A shell that can't be read is rendered again, so ignore the error.
        const seeding = isThenable(value) ? value.then(seed, () => {}) : seed(value)
        offers.set(key, seeding)
      }
      return offers.get(key)
    },
  }
}

function asBuilt(
  page: BuiltPage,
  value: Computed['value'],
  pathname: string,
  pattern: string,
): Computed {
  const tags = [...page.tags, ...tagsOfPage(pathname, pattern)]
  return { ...page, value, tags, isShared: true }
}

const decodeOnce = memoized(decodeValue)

// Reads a target's pathname and kind. A static page can't read the query, so the query isn't part
// of the cache key.
function readTarget(target: string): Pick<CacheableUrl, 'pathname' | 'kind'> {
  const queryAt = target.indexOf('?')
  const path = queryAt === -1 ? target : target.slice(0, queryAt)
  const pathname = pagePathnameOf(path)
  return pathname === null ? { pathname: path, kind: 'document' } : { pathname, kind: 'data' }
}

// Waits for the first rendering of a page. @returns `null` if it takes too long, so that the
// request should render the page itself
async function firstRead<T>(reading: Promise<T>): Promise<T | null> {
  const result = await withDeadline(reading, waitForFirstMs)
  return result === timedOut ? null : result
}

// Maximum number of pages to store. Otherwise requests for many URLs of one route could fill the
// memory or the shared store.
const maxKeys = 10_000

function createTtlSet(now: () => number) {
  const untilMs = new Map<string, number>()
  return {
    has: (key: string) => untilMs.size > 0 && (untilMs.get(key) ?? 0) > now(),
    set: (key: string, forMs: number) => void setBounded(untilMs, key, now() + forMs, maxKeys),
  }
}
