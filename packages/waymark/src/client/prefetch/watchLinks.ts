import { mayPrefetch } from '../links.ts'
import type { Prefetcher } from './prefetcher.ts'

/** How far below the screen a link counts as near. */
const margin = '200px'

/**
 * Watches the links of the document, those that come later included: one observer for all.
 * `data-prefetch="none"` on a link leaves it alone.
 */
export function watchLinks(document: Document, prefetcher: Prefetcher): void {
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

  const intend = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link && mayPrefetch(link)) prefetcher.intend(new URL(link.href))
  }
  for (const event of ['pointerover', 'focusin', 'touchstart']) {
    document.addEventListener(event, intend, { passive: true })
  }
}
