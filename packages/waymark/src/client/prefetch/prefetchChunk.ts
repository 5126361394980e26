import { prefetch } from 'virtual:waymark/prefetch'
import type { Stylesheet } from '../../wire/payload.ts'
import { documentNonce } from '../document/documentStream.ts'
import { linkOf } from '../navigation/clickedLink.ts'
import { mayPrefetch } from '../navigation/links.ts'
import { fetchPrefetch, fetchWholePage } from './fetchPrefetch.ts'
import { createPrefetcher, type Prefetcher, type PrefetcherOptions } from './prefetcher.ts'

export function startPrefetching(
  document: Document,
  prefersReducedData: PrefetcherOptions['prefersReducedData'],
): Prefetcher {
  const from = () => location.pathname
  const preloadAssets = (assets: readonly Stylesheet[]) => {
    for (const asset of assets) preloadAsset(document, asset)
  }
  const fetches = { fetchPrefetch, fetchWholePage, preloadAssets }
  const options = { now: Date.now, from, prefersReducedData, ...fetches, limits: prefetch }
  const prefetcher = createPrefetcher(options)
  watchLinks(document, prefetcher)
  watchRest(document, prefetcher)
  if (import.meta.env.DEV) Object.assign(window, { waymarkPrefetches: prefetcher.ledger })
  return prefetcher
}

const margin = '200px'

/** Watches all links of the document with one observer, including links that are added later. */
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

/**
 * Milliseconds for which the pointer or the focus has to rest on a link. A pointer that only crosses
 * a list of links leaves each link sooner.
 */
const restMs = 65

/** Watches for signs of a click: the pointer or the focus rests on a link, or a finger touches it. */
function watchRest(document: Document, prefetcher: Prefetcher): void {
  let link: HTMLAnchorElement | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const expect = (near: HTMLAnchorElement) => {
    if (mayPrefetch(near)) prefetcher.expect(new URL(near.href))
  }
  const onEvent = (event: Event) => {
    const { type } = event
    const near = linkOf(event)
    if (near === link && type !== 'touchstart') return
    clearTimeout(timer)
    link = near
    if (near && type === 'touchstart') expect(near)
    else if (near) timer = setTimeout(expect, restMs, near)
  }
  const listen = (type: string, listener: (event: Event) => void) =>
    document.addEventListener(type, listener, { passive: true, capture: true })
  for (const type of ['pointermove', 'focusin', 'touchstart']) listen(type, onEvent)
  // Stop the timer on a click, because the click itself fetches the page.
  listen('click', () => clearTimeout(timer))
}

/**
 * Preloads a file with the same CORS mode and hash as the later request, which the browser requires
 * to reuse it.
 */
function preloadAsset(document: Document, [href, integrity = '']: Stylesheet): void {
  if (document.head.querySelector(`link[href="${href}"]`)) return
  const link = document.createElement('link')
  const isStyle = href.endsWith('.css')
  link.rel = isStyle ? 'preload' : 'modulepreload'
  if (isStyle) link.as = 'style'
  link.crossOrigin = 'anonymous'
  link.integrity = integrity
  link.nonce = documentNonce()
  link.fetchPriority = 'low'
  link.href = href
  link.onerror = () => link.remove()
  document.head.append(link)
}
