import type { PrefetchLimits } from '../../shared/settings.ts'
import type { PrefetchedData } from '../navigation/fetchPage.ts'
import type { fetchPrefetch, PrefetchResponse } from './fetchPrefetch.ts'

/** Fetches pages before a click. */
export type Prefetcher = {
  /** A link is near: its page is fetched when that is cheap. */
  see(url: URL): void
  /** A click is likely: its page is fetched now. */
  intend(url: URL): void
  /** What was fetched for a URL, and is still fresh; a request on its way is aborted. */
  consume(url: URL): PrefetchedData | null
  /** Another page is shown: its own limits begin. */
  resetPage(): void
  /** Something was changed that pages may show: what was fetched is not used any more. */
  invalidate(): void
  /** Counts for development. */
  ledger(): PrefetchLedger
}

/** What prefetching did, and what of it was of use. */
export type PrefetchLedger = {
  /** Pages that came, and the bytes of their data. */
  readonly fetched: number
  readonly bytes: number
  /** Times that one was shown. */
  readonly used: number
  /** Those that never were, and are not fresh any more. */
  readonly wasted: number
  /** Responses by which the server asked for a pause. */
  readonly refused: number
}

export type PrefetcherOptions = {
  readonly now: () => number
  /** Pathname of the page on the screen. */
  readonly from: () => string
  /** Whether fetching without intent is too much to ask: saved data, a slow line, a hidden tab. */
  readonly prefersReducedData: () => boolean
  readonly fetchPrefetch: typeof fetchPrefetch
  readonly limits: PrefetchLimits
}

/** A URL to prefetch; with intent, a click on it is likely. */
type Candidate = { readonly key: string; readonly hasIntent: boolean }

/** Creates the prefetcher of a document. A failed, cut or foreign response is never cached. */
export function createPrefetcher(options: PrefetcherOptions): Prefetcher {
  const { now, from, prefersReducedData, fetchPrefetch, limits } = options
  const cache = createPrefetchCache(now)
  const backoff = createBackoff(now)
  const budget = createBudget(limits)
  /** The next one first. */
  let waiting: readonly Candidate[] = []
  const running = new Map<string, AbortController>()

  async function prefetch(candidate: Candidate): Promise<void> {
    const { key, hasIntent } = candidate
    waiting = waiting.filter((other) => other.key !== key)
    const before = cache.get(key)
    // One response is enough, also of a server that responds wrongly.
    if ((before && before !== 'stale') || backoff.isActive()) return
    if (!budget.acquire(now(), running.size, hasIntent)) {
      waiting = hasIntent ? [candidate, ...waiting] : [...waiting, candidate]
      return
    }
    const controller = new AbortController()
    const { signal } = controller
    cache.set(key, 'requested')
    running.set(key, controller)
    // The click requests it again, and shows what is wrong.
    const failed = (): PrefetchResponse => ({ kind: 'failed' })
    const response = await fetchPrefetch(new URL(key), from(), signal).catch(failed)
    running.delete(key)
    if (!signal.aborted) backoff.note(response)
    if (!signal.aborted && response.kind === 'page') cache.add(key, response)
    else if (before) cache.set(key, before)
    const [next] = waiting
    if (next) void prefetch(next)
  }

  return {
    see(url) {
      if (!prefersReducedData()) void prefetch({ key: keyOf(url), hasIntent: false })
    },
    intend: (url) => void prefetch({ key: keyOf(url), hasIntent: true }),
    consume(url) {
      const key = keyOf(url)
      // The browser's cache would let the click wait for the one before it.
      running.get(key)?.abort()
      return cache.use(key)
    },
    invalidate() {
      for (const controller of running.values()) controller.abort()
      cache.clear()
    },
    resetPage() {
      waiting = []
      budget.resetPage()
    },
    ledger: () => ({ ...cache.counts(), refused: backoff.refused() }),
  }
}

function keyOf(url: URL): string {
  return url.origin + url.pathname + url.search
}

/** Counts prefetches against their limits. */
export function createBudget(limits: PrefetchLimits) {
  let onPage = 0
  let recentMs: number[] = []

  return {
    /**
     * @param running how many there are already
     * @param hasIntent a click is likely: the limit of the page does not apply
     * @returns false when one more is too many now
     */
    acquire(nowMs: number, running: number, hasIntent: boolean): boolean {
      recentMs = recentMs.filter((atMs) => nowMs - atMs < 60_000)
      if (running >= limits.atOnce || recentMs.length >= limits.perMinute) return false
      if (!hasIntent && onPage >= limits.perPage) return false
      onPage++
      recentMs.push(nowMs)
      return true
    },
    /** A new page: its own limit begins. */
    resetPage(): void {
      onPage = 0
    },
  }
}

/** So many failures in a row are no accident: all prefetching pauses. */
const maxFailures = 3
const pauseMs = 30_000

/** Pauses prefetching when the server asks for it, or because all fails. */
function createBackoff(now: () => number) {
  let untilMs = 0
  let failures = 0
  let refused = 0
  return {
    isActive: () => now() < untilMs,
    note(response: PrefetchResponse): void {
      failures = response.kind === 'failed' ? failures + 1 : 0
      if (failures >= maxFailures) untilMs = now() + pauseMs
      if (response.kind !== 'backoff') return
      refused++
      untilMs = now() + response.forMs
    },
    /** How often the server has asked for a pause. */
    refused: () => refused,
  }
}

type CachedPage = PrefetchedData & { readonly fetchedAtMs: number; wasUsed: boolean }

const freshMs = 30_000

/** Caches prefetched pages while they are fresh; after that, only that they were there. */
function createPrefetchCache(now: () => number) {
  const entries = new Map<string, CachedPage | 'requested' | 'stale'>()
  const counts = { fetched: 0, bytes: 0, used: 0, wasted: 0 }

  function dropOlder(ageMs: number): void {
    for (const [key, page] of entries) {
      if (typeof page === 'string' || now() - page.fetchedAtMs < ageMs) continue
      if (!page.wasUsed) counts.wasted++
      entries.set(key, 'stale')
    }
  }
  function get(key: string) {
    dropOlder(freshMs)
    return entries.get(key)
  }
  return {
    get,
    set: (key: string, entry: 'requested' | 'stale') => void entries.set(key, entry),
    add(key: string, { bytes, build }: PrefetchedData): void {
      entries.set(key, { bytes, build, fetchedAtMs: now(), wasUsed: false })
      counts.fetched++
      counts.bytes += bytes.length
    },
    /** Gives a page out, to be shown. */
    use(key: string): PrefetchedData | null {
      const page = get(key)
      if (!page || typeof page === 'string') return null
      page.wasUsed = true
      counts.used++
      return page
    },
    clear: () => dropOlder(0),
    counts() {
      dropOlder(freshMs)
      return { ...counts }
    },
  }
}
