import type { Navigator } from './navigator.ts'

/**
 * Follows clicks on links of this origin, all of them with one listener.
 * @returns a function that stops it
 */
export function listenToLinks(navigator: Navigator): () => void {
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || !isNavigation(event, link)) return
    event.preventDefault()
    const { replace, scroll } = link.dataset
    navigator.push(link.href, { replace: replace === '', scroll: scroll !== 'keep' })
  }
  document.addEventListener('click', onClick)
  return () => document.removeEventListener('click', onClick)
}

function isNavigation(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const isPlainClick =
    event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  return (
    isPlainClick &&
    !event.defaultPrevented &&
    link.origin === location.origin &&
    !link.hasAttribute('download') &&
    !link.hasAttribute('data-waymark-document') &&
    (link.target === '' || link.target === '_self') &&
    !(link.hash && link.pathname === location.pathname && link.search === location.search)
  )
}

/**
 * Follows the browser's own back and forward.
 * @returns a function that stops it
 */
export function listenToHistory(navigator: Navigator): () => void {
  addEventListener('popstate', navigator.traverse)
  return () => removeEventListener('popstate', navigator.traverse)
}
