import { prefetch } from 'virtual:waymark/navigation'
import { mayPrefetch } from '../navigation/links.ts'
import { fetchPrefetch } from './fetchPrefetch.ts'
import { createPrefetcher, type Prefetcher } from './prefetcher.ts'
import { prefersReducedData } from './saveData.ts'

/** Starts to prefetch; this chunk loads at idle, or with the first sign of a click. */
export function startPrefetching(document: Document): Prefetcher {
  const from = () => location.pathname
  const options = { now: Date.now, from, prefersReducedData, fetchPrefetch, limits: prefetch }
  const prefetcher = createPrefetcher(options)
  watchLinks(document, prefetcher)
  if (import.meta.env.DEV) Object.assign(window, { waymarkPrefetches: prefetcher.ledger })
  return prefetcher
}

/** How far below the screen a link counts as near. */
const margin = '200px'

/**
 * Watches the links of the document, those that come later included: one observer for all.
 * `data-prefetch="none"` on a link leaves it alone.
 */
function watchLinks(document: Document, prefetcher: Prefetcher): void {
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        near.unobserve(target)
        prefetcher.see(new URL((target as HTMLAnchorElement).href))
      }
    },
    { rootMargin: margin },
  )
  const watch = (root: ParentNode) => {
    for (const link of root.querySelectorAll('a')) if (mayPrefetch(link)) near.observe(link)
  }
  watch(document)
  new MutationObserver((mutations) => {
    for (const { addedNodes } of mutations) {
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue
        if (node instanceof HTMLAnchorElement && mayPrefetch(node)) near.observe(node)
        watch(node)
      }
    }
  }).observe(document.documentElement, { childList: true, subtree: true })
}
