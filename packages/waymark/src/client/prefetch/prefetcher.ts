import type { PrefetchLimits } from '../../shared/settings.ts'
import type { PrefetchResponse } from './fetchPrefetch.ts'

/** Fetches pages before a click. */
export type Prefetcher = {
  /** A link is near: its page is fetched when that is cheap. */
  see(url: URL): void
  /** A click is likely: its page is fetched now. */
  intend(url: URL): void
  /** What was fetched for a URL, and is still fresh; a request on its way is aborted. */
  consume(url: URL): Prefetched | null
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
  /** Fetches one page's data. */
  readonly fetchPrefetch: (url: URL, from: string, signal: AbortSignal) => Promise<PrefetchResponse>
  readonly limits: PrefetchLimits
}

/** A URL to prefetch; with intent, a click on it is likely. */
type Candidate = { readonly key: string; readonly hasIntent: boolean }

const failed: PrefetchResponse = { kind: 'failed' }

/** Creates the prefetcher of a document. A failed, cut or foreign response is never cached. */
export function createPrefetcher(options: PrefetcherOptions): Prefetcher {
  const { now, from, prefersReducedData, fetchPrefetch, limits } = options
  const cache = createPrefetchCache(now)
  const backoff = createBackoff(now)
  const budget = createBudget(limits)
  /** URLs that were requested: one response is enough, also of a server that responds wrongly. */
  const requested = new Set<string>()
  /** The next one first. */
  let waiting: readonly Candidate[] = []
  const running = new Map<string, AbortController>()

  async function prefetch(candidate: Candidate): Promise<void> {
    const { key, hasIntent } = candidate
    waiting = waiting.filter((other) => other.key !== key)
    if (cache.has(key) || backoff.isActive()) return
    if (requested.has(key) && !cache.isStale(key)) return
    if (!budget.acquire(now(), hasIntent)) {
      waiting = hasIntent ? [candidate, ...waiting] : [...waiting, candidate]
      return
    }
    requested.add(key)
    const controller = new AbortController()
    running.set(key, controller)
    // The click requests it again, and shows what is wrong.
    const response = await fetchPrefetch(new URL(key), from(), controller.signal).catch(
      () => failed,
    )
    running.delete(key)
    budget.release()
    if (!controller.signal.aborted) backoff.note(response)
    if (!controller.signal.aborted && response.kind === 'page') cache.set(key, response)
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
  let running = 0
  let onPage = 0
  let recentMs: number[] = []

  return {
    /**
     * @param hasIntent a click is likely: the limit of the page does not apply
     * @returns false when one more is too many now
     */
    acquire(nowMs: number, hasIntent: boolean): boolean {
      recentMs = recentMs.filter((atMs) => nowMs - atMs < 60_000)
      if (running >= limits.atOnce || recentMs.length >= limits.perMinute) return false
      if (!hasIntent && onPage >= limits.perPage) return false
      running++
      onPage++
      recentMs.push(nowMs)
      return true
    },
    release(): void {
      running--
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

/** Prefetched page data, which is whole. */
export type Prefetched = {
  readonly bytes: Uint8Array
  readonly fetchedAtMs: number
  /** Id of the build that rendered it. */
  readonly build: string | null
}

const freshMs = 30_000

/** Caches prefetched pages while they are fresh. */
function createPrefetchCache(now: () => number) {
  const pages = new Map<string, Prefetched | null>()
  const shown = new Set<Prefetched>()
  const counts = { fetched: 0, bytes: 0, used: 0, wasted: 0 }

  function freshPage(key: string): Prefetched | null {
    for (const [each, page] of pages) {
      if (page && now() - page.fetchedAtMs >= freshMs) drop(each, page)
    }
    return pages.get(key) ?? null
  }
  // The data goes; that it was there is remembered.
  function drop(key: string, page: Prefetched): void {
    if (!shown.delete(page)) counts.wasted++
    pages.set(key, null)
  }
  return {
    has: (key: string) => freshPage(key) !== null,
    /** The page was there, and is not fresh any more. */
    isStale: (key: string) => freshPage(key) === null && pages.has(key),
    set(key: string, { bytes, build }: Omit<Prefetched, 'fetchedAtMs'>): void {
      pages.set(key, { bytes, build, fetchedAtMs: now() })
      counts.fetched++
      counts.bytes += bytes.length
    },
    /** Gives a page out, to be shown. */
    use(key: string): Prefetched | null {
      const page = freshPage(key)
      if (!page) return null
      shown.add(page)
      counts.used++
      return page
    },
    clear(): void {
      for (const [key, page] of pages) if (page) drop(key, page)
    },
    counts() {
      freshPage('')
      return { ...counts }
    },
  }
}
