import type { PrefetchLimits } from '../../shared/navigationSettings.ts'
import { createBudget } from './budget.ts'
import type { PrefetchResponse } from './fetchAhead.ts'
import { createPrefetchCache, type PrefetchCounts, type Prefetched } from './kept.ts'
import { createBackoff } from './rest.ts'

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
