import type { PrefetchLimits } from '../../shared/settings.ts'
import type { PrefetchResponse } from './fetchPrefetch.ts'

/** Fetches pages ahead of the click. */
export type Prefetcher = {
  /** A link is near: its page is fetched when that is cheap. */
  see(url: URL): void
  /** A click is likely: its page is fetched now. */
  intend(url: URL): void
  /** What was fetched for a URL, and is still fresh. What is on its way is overtaken. */
  take(url: URL): Prefetched | null
  /** Another page is shown. */
  turnPage(): void
  /** Something was changed that pages may show: what was fetched is not used any more. */
  outdate(): void
  /** What became of all of it, for development. */
  ledger(): PrefetchLedger
}

/** What prefetching did, and what of it was of use. */
export type PrefetchLedger = PrefetchCounts & {
  /** Answers by which the server asked for a rest. */
  readonly refused: number
}

/** What a prefetcher needs. */
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

/** A URL to be fetched ahead. */
type Wish = { readonly key: string; readonly isMeant: boolean }

const failed: PrefetchResponse = { kind: 'failed' }

/** Makes the prefetcher of a document. A failed, cut or foreign answer is never kept. */
export function createPrefetcher(options: PrefetcherOptions): Prefetcher {
  const { now, from, prefersReducedData, fetchPrefetch, limits } = options
  const kept = createPrefetchCache(now)
  const rest = createBackoff(now)
  const budget = createBudget(limits)
  /** URLs that were asked for: one answer is enough, also of a server that answers wrongly. */
  const asked = new Set<string>()
  /** The next one first. */
  let waiting: readonly Wish[] = []
  const running = new Map<string, AbortController>()

  async function prefetch(wish: Wish): Promise<void> {
    const { key, isMeant } = wish
    waiting = waiting.filter((other) => other.key !== key)
    if (kept.has(key) || rest.isOn()) return
    if (asked.has(key) && !kept.isOver(key)) return
    if (!budget.take(now(), isMeant)) {
      waiting = isMeant ? [wish, ...waiting] : [...waiting, wish]
      return
    }
    asked.add(key)
    const overtaken = new AbortController()
    running.set(key, overtaken)
    // The click will ask again, and be answered with what is wrong.
    const answer = await fetchPrefetch(new URL(key), from(), overtaken.signal).catch(() => failed)
    running.delete(key)
    budget.giveBack()
    if (!overtaken.signal.aborted) rest.note(answer)
    if (!overtaken.signal.aborted && answer.kind === 'page') kept.set(key, answer)
    const [next] = waiting
    if (next) void prefetch(next)
  }

  return {
    see(url) {
      if (!prefersReducedData()) void prefetch({ key: keyOf(url), isMeant: false })
    },
    intend: (url) => void prefetch({ key: keyOf(url), isMeant: true }),
    take(url) {
      const key = keyOf(url)
      // The browser's cache would let the click wait for the one before it.
      running.get(key)?.abort()
      return kept.use(key)
    },
    outdate() {
      for (const overtaken of running.values()) overtaken.abort()
      kept.clear()
    },
    turnPage() {
      waiting = []
      budget.turnPage()
    },
    ledger: () => ({ ...kept.counts(), refused: rest.refused() }),
  }
}

function keyOf(url: URL): string {
  return url.origin + url.pathname + url.search
}

/** Counts prefetches against their bounds. */
export type PrefetchBudget = {
  /**
   * @param isMeant a click is likely: the bound of the page does not hold
   * @returns false when one more is too many now
   */
  take(nowMs: number, isMeant: boolean): boolean
  giveBack(): void
  /** A new page: its own bound begins anew. */
  turnPage(): void
}

/** Makes the budget of a document. */
export function createBudget(limits: PrefetchLimits): PrefetchBudget {
  let running = 0
  let onPage = 0
  let lately: number[] = []

  return {
    take(nowMs, isMeant) {
      lately = lately.filter((atMs) => nowMs - atMs < 60_000)
      if (running >= limits.atOnce || lately.length >= limits.perMinute) return false
      if (!isMeant && onPage >= limits.perPage) return false
      running++
      onPage++
      lately.push(nowMs)
      return true
    },
    giveBack() {
      running--
    },
    turnPage() {
      onPage = 0
    },
  }
}

/** So many failures in a row are no accident: all prefetching rests. */
const failuresToRest = 3
const restMs = 30_000

/** Times without prefetching: asked for by the server, or because all fails. */
export type Backoff = {
  isOn(): boolean
  /** Hears of what came. */
  note(answer: PrefetchResponse): void
  /** How often the server has asked for one. */
  refused(): number
}

/** Makes the rest of a document's prefetching. */
export function createBackoff(now: () => number): Backoff {
  let untilMs = 0
  let failures = 0
  let refused = 0
  return {
    isOn: () => now() < untilMs,
    note(answer) {
      failures = answer.kind === 'failed' ? failures + 1 : 0
      if (failures >= failuresToRest) untilMs = now() + restMs
      if (answer.kind !== 'rest') return
      refused++
      untilMs = now() + answer.forMs
    },
    refused: () => refused,
  }
}

/** Page data that was fetched ahead: whole, and known to be. */
export type Prefetched = {
  readonly bytes: Uint8Array
  readonly fetchedAtMs: number
  /** Id of the build that answered. */
  readonly build: string | null
}

/** Pages that were fetched ahead, while they are fresh. */
export type PrefetchCache = {
  has(key: string): boolean
  /** It was there, and is not fresh any more. */
  isOver(key: string): boolean
  set(key: string, page: Omit<Prefetched, 'fetchedAtMs'>): void
  /** Gives a page out, to be shown. */
  use(key: string): Prefetched | null
  /** All of them are not fresh any more. */
  clear(): void
  counts(): PrefetchCounts
}

/** What became of them. */
export type PrefetchCounts = {
  /** Pages that came, and the bytes of their data. */
  readonly fetched: number
  readonly bytes: number
  /** Times that one was shown. */
  readonly used: number
  /** Those that never were, and are not fresh any more. */
  readonly wasted: number
}

const freshMs = 30_000

/** Makes the place that keeps them. */
export function createPrefetchCache(now: () => number): PrefetchCache {
  const pages = new Map<string, Prefetched | null>()
  const shown = new Set<Prefetched>()
  const counts = { fetched: 0, bytes: 0, used: 0, wasted: 0 }

  function freshOne(key: string): Prefetched | null {
    for (const [each, page] of pages) {
      if (page && now() - page.fetchedAtMs >= freshMs) drop(each, page)
    }
    return pages.get(key) ?? null
  }
  // Its data is let go; that it was there is not forgotten.
  function drop(key: string, page: Prefetched): void {
    if (!shown.delete(page)) counts.wasted++
    pages.set(key, null)
  }
  return {
    has: (key) => freshOne(key) !== null,
    isOver: (key) => freshOne(key) === null && pages.has(key),
    set(key, { bytes, build }) {
      pages.set(key, { bytes, build, fetchedAtMs: now() })
      counts.fetched++
      counts.bytes += bytes.length
    },
    use(key) {
      const page = freshOne(key)
      if (!page) return null
      shown.add(page)
      counts.used++
      return page
    },
    clear() {
      for (const [key, page] of pages) if (page) drop(key, page)
    },
    counts() {
      freshOne('')
      return { ...counts }
    },
  }
}
