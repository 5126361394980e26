import { prefetch } from 'virtual:waymark/navigation'
import { fetchPrefetch } from './fetchAhead.ts'
import { prefersReducedData } from './isFrugal.ts'
import { createPrefetcher, type Prefetcher } from './prefetcher.ts'
import { watchLinks } from './watchLinks.ts'

/** Begins to fetch pages ahead: what is loaded at idle, or with the first sign of a click. */
export function startPrefetching(document: Document): Prefetcher {
  const from = () => location.pathname
  const parts = { now: Date.now, from, prefersReducedData, fetchPrefetch, limits: prefetch }
  const prefetcher = createPrefetcher(parts)
  watchLinks(document, prefetcher)
  if (import.meta.env.DEV) Object.assign(window, { waymarkPrefetches: prefetcher.ledger })
  return prefetcher
}
