import { crc32, endMarkBytes, writeEndMark } from '../../shared/endMark.ts'
import { payloadUrl, prefetchHeader } from '../../shared/protocol.ts'
import { createBudget, defaultLimits, type PrefetchLimits } from './budget.ts'

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
  /** Whether fetching without intent is too much to ask: saved data, a slow line, a hidden tab. */
  readonly isFrugal: () => boolean
  readonly limits?: PrefetchLimits
}

const freshMs = 30_000
const longestBackoffMs = 60_000

/** Makes the prefetcher of a document. A failed, cut or foreign answer is never kept. */
export function createPrefetcher({
  now,
  isFrugal,
  limits = defaultLimits,
}: PrefetchParts): Prefetcher {
  const kept = new Map<string, Prefetched>()
  /** URLs that need no further try: running, of no use, or failed too often. */
  const settled = new Set<string>()
  const waiting = new Set<string>()
  const budget = createBudget(limits)
  const ledger: PrefetchLedger = { fetched: 0, used: 0, bytes: 0, refused: 0 }
  let restsUntilMs = 0

  async function prefetch(key: string): Promise<void> {
    if (settled.has(key) || fresh(key) || now() < restsUntilMs) return
    if (!budget.take(now())) {
      waiting.add(key)
      return
    }
    // Whatever comes back, one answer for a URL is enough: a server that answers wrongly must not
    // be asked again and again.
    settled.add(key)
    waiting.delete(key)
    try {
      const bytes = await fetchWhole(new URL(key))
      if (bytes) {
        kept.set(key, { bytes, fetchedAtMs: now() })
        ledger.fetched++
        ledger.bytes += bytes.length
      }
    } catch {
      // The click will ask again, and be answered with what is wrong.
    } finally {
      budget.giveBack()
      const [next] = waiting
      if (next !== undefined) void prefetch(next)
    }
  }

  async function fetchWhole(url: URL): Promise<Uint8Array | null> {
    const response = await fetch(payloadUrl(url.pathname, url.search), {
      headers: { [prefetchHeader]: '1' },
      priority: 'low',
    })
    const backoff = Number(response.headers.get('retry-after'))
    if (response.status === 503 || response.status === 429) {
      ledger.refused++
      restsUntilMs = now() + Math.min((backoff || 30) * 1000, longestBackoffMs)
      return null
    }
    const isPayload = response.headers.get('content-type')?.startsWith('text/x-component')
    if (!isPayload || response.redirected) return null
    const bytes = new Uint8Array(await response.arrayBuffer())
    return withoutMark(bytes)
  }

  function fresh(key: string): Prefetched | null {
    const page = kept.get(key)
    if (page && now() - page.fetchedAtMs < freshMs) return page
    if (page) {
      kept.delete(key)
      settled.delete(key)
    }
    return null
  }

  return {
    see(url) {
      if (!isFrugal()) void prefetch(keyOf(url))
    },
    intend: (url) => void prefetch(keyOf(url)),
    take(url) {
      const page = fresh(keyOf(url))
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

function keyOf(url: URL): string {
  return url.origin + url.pathname + url.search
}

function withoutMark(bytes: Uint8Array): Uint8Array | null {
  const body = bytes.subarray(0, Math.max(0, bytes.length - endMarkBytes))
  const mark = new TextDecoder().decode(bytes.subarray(body.length))
  return mark === writeEndMark(crc32(body)) ? body : null
}
