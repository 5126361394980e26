import type { PrefetchLimits } from '../../shared/settings.ts'
import type { Stylesheet } from '../../wire/payload.ts'
import { type TracedEvent, trace } from '../../wire/trace.ts'
import { canonicalUrl } from '../document/dataRequest.ts'
import type { JoinedPrefetch, PrefetchedData } from '../navigation/fetchPage.ts'
import {
  createBackoff,
  type fetchPrefetch,
  type fetchWholePage,
  type PrefetchResponse,
  type WholePrefetch,
} from './fetchPrefetch.ts'

export type Prefetcher = {
  /**
   * Called when a link is near the viewport. Fetches the link's page if the page is cheap for the
   * server.
   */
  see(url: URL): void
  /** Called when a click is likely. Fetches the page immediately if the page is cheap for the server. */
  intend(url: URL): void
  /**
   * Called when a click is imminent. Fetches the page even if the server has to render it for this
   * request.
   */
  expect(url: URL): void
  /**
   * Returns fresh data, or the running request for a whole page. Aborts any other running request
   * for the page.
   */
  consume(url: URL): PrefetchedData | JoinedPrefetch | null
  resetPage(): void
  /** Called when data on pages may have changed. Discards all fetched pages. */
  invalidate(): void
  ledger(): PrefetchLedger
}

export type PrefetchLedger = {
  /** Number of fetched pages. `bytes` is the total size of the fetched data. */
  readonly fetched: number
  readonly bytes: number
  readonly used: number
  readonly wasted: number
  readonly refused: number
}

export type PrefetcherOptions = {
  readonly now: () => number
  readonly from: () => string
  /**
   * Returns true if pages should be prefetched on intent only: if the user prefers reduced data, on
   * a slow connection, or in a hidden tab.
   */
  readonly prefersReducedData: () => boolean
  readonly fetchPrefetch: typeof fetchPrefetch
  readonly fetchWholePage: typeof fetchWholePage
  readonly preloadAssets: (assets: readonly Stylesheet[]) => void
  readonly limits: PrefetchLimits
}

/**
 * A URL to prefetch. If `hasIntent` is true, a click is likely. If `isWhole` is true, a click is
 * imminent.
 */
type Candidate = {
  readonly key: string
  readonly hasIntent: boolean
  readonly isWhole?: boolean
}

export function createPrefetcher(options: PrefetcherOptions): Prefetcher {
  const { now, prefersReducedData, limits } = options
  const cache = createPrefetchCache(now)
  const backoff = createBackoff(now)
  const budget = createBudget(limits)
  const requests = createRequests(options, cache, backoff)
  let waiting: readonly Candidate[] = []
  /** Keys of pages to request whole if the cheap request returns no page. */
  const expected = new Set<string>()

  async function prefetch(candidate: Candidate): Promise<void> {
    const { key, hasIntent, isWhole = false } = candidate
    waiting = waiting.filter((other) => other.key !== key)
    const before = cache.get(key)
    // Never send the same kind of request twice for a page, even if the response was unusable.
    const isDone = before && before !== 'stale' && !(isWhole && before === 'requested')
    if (isDone || requests.isWhole(key) !== null || backoff.isActive()) return
    if (!budget.acquire(now(), requests.count(), hasIntent)) {
      waiting = hasIntent ? [candidate, ...waiting] : [...waiting, candidate]
      return
    }
    const { kind } = await requests.start(key, isWhole)
    if (expected.delete(key) && kind === 'nothing') expectKey(key)
    const [next] = waiting
    if (next) void prefetch(next)
  }

  function expectKey(key: string): void {
    if (requests.isWhole(key) === false) expected.add(key)
    else void prefetch({ key, hasIntent: true, isWhole: true })
  }

  return {
    see(url) {
      if (!prefersReducedData()) void prefetch({ key: keyOf(url), hasIntent: false })
    },
    intend: (url) => void prefetch({ key: keyOf(url), hasIntent: true }),
    expect(url) {
      if (!prefersReducedData()) expectKey(keyOf(url))
    },
    consume(url) {
      const key = keyOf(url)
      expected.delete(key)
      return requests.join(key) ?? cache.use(key)
    },
    invalidate() {
      expected.clear()
      requests.abort()
      cache.clear()
    },
    resetPage() {
      waiting = []
      expected.clear()
      budget.resetPage()
    },
    ledger: () => ({ ...cache.counts(), refused: backoff.refused() }),
  }
}

function createRequests(
  options: PrefetcherOptions,
  cache: ReturnType<typeof createPrefetchCache>,
  backoff: ReturnType<typeof createBackoff>,
) {
  const running = new Map<string, ReturnType<typeof send>>()

  return {
    count: () => running.size,
    /**
     * True while the whole page is being requested, false while a part of it is, and `null`
     * otherwise.
     */
    isWhole: (key: string) => (running.has(key) ? running.get(key)?.whole !== null : null),
    async start(key: string, isWhole: boolean): Promise<PrefetchResponse> {
      const before = cache.get(key)
      cache.set(key, isWhole ? 'refused' : 'requested')
      const request = send(options, new URL(key), isWhole)
      running.set(key, request)
      traceState('send', key)
      const response = await request.response
      if (import.meta.env.DEV) traceResponse(key, response)
      const { aborted } = request.controller.signal
      if (!aborted) backoff.note(response)
      const assets = 'assets' in response && !options.prefersReducedData() && response.assets
      if (assets) options.preloadAssets(assets)
      if (running.get(key) !== request) {
        // A click has taken over this request, so the response belongs to the navigation.
        if (response.kind === 'page') cache.count(response)
        return response
      }
      running.delete(key)
      if (aborted) cache.set(key, before ?? (isWhole ? 'stale' : 'requested'))
      else if (response.kind === 'page') cache.add(key, response, isWhole ? wholeFreshMs : freshMs)
      else if (before && !isWhole) cache.set(key, before)
      return response
    },
    /**
     * Hands the running request for a whole page over to a click. Aborts any other request for the
     * page.
     */
    join(key: string): JoinedPrefetch | null {
      const request = running.get(key)
      if (!request?.whole || request.controller.signal.aborted) {
        // The browser's cache would make the click's request wait for the running one, so abort it.
        request?.controller.abort()
        return null
      }
      running.delete(key)
      return cache.join(key, request.whole)
    },
    abort(): void {
      for (const { controller } of running.values()) controller.abort()
    },
  }
}

function send(
  { from, fetchPrefetch, fetchWholePage }: PrefetcherOptions,
  url: URL,
  isWhole: boolean,
) {
  const controller = new AbortController()
  const whole = isWhole ? fetchWholePage(url, from(), controller) : null
  const ended = whole?.ended ?? fetchPrefetch(url, from(), controller.signal)
  // Ignore errors, because the navigation requests the page again and shows the error.
  const response = ended.catch((): PrefetchResponse => ({ kind: 'failed' }))
  return { controller, whole, response }
}

type PrefetchState = Extract<TracedEvent, { type: 'prefetch' }>['state']

function traceState(state: PrefetchState, url: string, bytes = 0): void {
  if (import.meta.env.DEV) trace({ type: 'prefetch', state, url, bytes })
}

function traceResponse(url: string, response: PrefetchResponse): void {
  const states = { page: 'fetch', nothing: 'nothing', failed: 'fail', backoff: 'fail' } as const
  traceState(states[response.kind], url, response.kind === 'page' ? response.bytes.length : 0)
}

function keyOf(url: URL): string {
  const { origin, pathname, search } = canonicalUrl(url)
  return origin + pathname + search
}

export function createBudget(limits: PrefetchLimits) {
  let onPage = 0
  let recentMs: number[] = []

  return {
    /**
     * Returns true and counts a request if the limits allow it.
     * @param running number of running requests
     * @param hasIntent true if a click is likely; the limit per page then doesn't apply
     */
    acquire(nowMs: number, running: number, hasIntent: boolean): boolean {
      recentMs = recentMs.filter((atMs) => nowMs - atMs < 60_000)
      if (running >= limits.atOnce || recentMs.length >= limits.perMinute) return false
      if (!hasIntent && onPage >= limits.perPage) return false
      onPage++
      recentMs.push(nowMs)
      return true
    },
    /** Resets the limit per page, for a new page. */
    resetPage(): void {
      onPage = 0
    },
  }
}

type CachedPage = PrefetchedData & { readonly expiresAtMs: number; wasUsed: boolean }

/** `refused` means that neither the cheap request nor the one for the whole page returned a page. */
type CacheEntry = CachedPage | 'requested' | 'refused' | 'stale'

const freshMs = 30_000
/**
 * Milliseconds for which a prefetched page stays fresh if the page is rendered for each request. If
 * the click doesn't come within this time, it won't come.
 */
const wholeFreshMs = 5_000

function createPrefetchCache(now: () => number) {
  const entries = new Map<string, CacheEntry>()
  const counts = { fetched: 0, bytes: 0, used: 0, wasted: 0 }

  function dropExpired(atMs: number): void {
    for (const [key, page] of entries) {
      if (typeof page === 'string' || atMs < page.expiresAtMs) continue
      if (!page.wasUsed) {
        counts.wasted++
        traceState('waste', key, page.bytes.length)
      }
      entries.set(key, 'stale')
    }
  }
  function count({ bytes }: Pick<PrefetchedData, 'bytes'>): void {
    counts.fetched++
    counts.bytes += bytes.length
  }
  function get(key: string) {
    dropExpired(now())
    return entries.get(key)
  }
  return {
    get,
    set: (key: string, entry: CacheEntry) => void entries.set(key, entry),
    add(key: string, { bytes, build }: PrefetchedData, freshForMs: number): void {
      entries.set(key, { bytes, build, expiresAtMs: now() + freshForMs, wasUsed: false })
      count({ bytes })
    },
    count,
    /** Marks a page as used while its request is still running. */
    join(key: string, whole: WholePrefetch): JoinedPrefetch {
      entries.set(key, 'stale')
      counts.used++
      traceState('use', key)
      return whole.join()
    },
    use(key: string): PrefetchedData | null {
      const page = get(key)
      if (!page || typeof page === 'string') return null
      page.wasUsed = true
      counts.used++
      traceState('use', key, page.bytes.length)
      return page
    },
    clear: () => dropExpired(Number.POSITIVE_INFINITY),
    counts() {
      dropExpired(now())
      return { ...counts }
    },
  }
}
