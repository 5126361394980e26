import { createBudget, defaultLimits, type PrefetchLimits } from './budget.ts'
import { fetchAhead } from './fetchAhead.ts'

/** Page data that was fetched ahead: whole, and known to be. */
export type Prefetched = { readonly bytes: Uint8Array; readonly fetchedAtMs: number }

/** Fetches pages ahead of the click. */
export type Prefetcher = {
  /** A link is near: its page is fetched when that is cheap. */
  see(url: URL): void
  /** A click is likely: its page is fetched now. */
  intend(url: URL): void
  /** What was fetched for a URL, and is still fresh. */
  take(url: URL): Prefetched | null
  /** Another page is shown. */
  turnPage(): void
  /** What became of all of it, for the dev server's ledger. */
  ledger(): PrefetchLedger
}

/** What prefetching did, and what of it was of use. */
export type PrefetchLedger = { fetched: number; used: number; bytes: number; refused: number }

/** What a prefetcher needs. */
export type PrefetchParts = {
  readonly now: () => number
  /** Pathname of the page on the screen. */
  readonly from: () => string
  /** Whether fetching without intent is too much to ask: saved data, a slow line, a hidden tab. */
  readonly isFrugal: () => boolean
  readonly limits?: PrefetchLimits
}

const freshMs = 30_000

/** Makes the prefetcher of a document. A failed, cut or foreign answer is never kept. */
export function createPrefetcher({
  now,
  from,
  isFrugal,
  limits = defaultLimits,
}: PrefetchParts): Prefetcher {
  const kept = createKept(now)
  /** URLs that were asked for: one answer is enough, also of a server that answers wrongly. */
  const asked = new Set<string>()
  const waiting = new Set<string>()
  const budget = createBudget(limits)
  const ledger: PrefetchLedger = { fetched: 0, used: 0, bytes: 0, refused: 0 }
  let restsUntilMs = 0

  async function prefetch(key: string): Promise<void> {
    if (kept.has(key) || now() < restsUntilMs) return
    if (asked.has(key) && !kept.isOver(key)) return
    if (!budget.take(now())) {
      waiting.add(key)
      return
    }
    asked.add(key)
    waiting.delete(key)
    // The click will ask again, and be answered with what is wrong.
    const answer = await fetchAhead(new URL(key), from()).catch(() => null)
    if (answer?.kind === 'page') {
      kept.set(key, answer.bytes)
      ledger.fetched++
      ledger.bytes += answer.bytes.length
    }
    if (answer?.kind === 'rest') {
      ledger.refused++
      restsUntilMs = now() + answer.forMs
    }
    budget.giveBack()
    const [next] = waiting
    if (next !== undefined) void prefetch(next)
  }

  return {
    see(url) {
      if (!isFrugal()) void prefetch(keyOf(url))
    },
    intend: (url) => void prefetch(keyOf(url)),
    take(url) {
      const page = kept.get(keyOf(url))
      if (page) ledger.used++
      return page
    },
    turnPage() {
      waiting.clear()
      budget.turnPage()
    },
    ledger: () => ({ ...ledger }),
  }
}

/** Keeps pages for as long as they are fresh. */
function createKept(now: () => number) {
  const pages = new Map<string, Prefetched>()
  const isFresh = (page: Prefetched) => now() - page.fetchedAtMs < freshMs
  const get = (key: string) => {
    const page = pages.get(key)
    return page && isFresh(page) ? page : null
  }
  return {
    get,
    has: (key: string) => get(key) !== null,
    /** It was there, and is not fresh any more. */
    isOver: (key: string) => pages.has(key) && get(key) === null,
    set: (key: string, bytes: Uint8Array) => pages.set(key, { bytes, fetchedAtMs: now() }),
  }
}

function keyOf(url: URL): string {
  return url.origin + url.pathname + url.search
}
