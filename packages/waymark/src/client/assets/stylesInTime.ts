import { timeoutMs } from 'virtual:waymark/startup'
import { documentNonce } from '../document/documentStream.ts'
import { codeErrors } from './chunkImports.ts'

/**
 * Vite loads the stylesheets of a chunk before the chunk. Without a stylesheet, code is still code:
 * one that fails, or that takes half of a route's limit, holds no code back.
 * @see https://vite.dev/guide/build.html#load-error-handling
 */
export function loadStylesInTime(view: Window): void {
  const { document } = view
  view.addEventListener('vite:preloadError', (event) => {
    // An `import()` that is not repeated fails with a `TypeError` of the browser.
    const isOfCode = codeErrors.has(event.payload) || event.payload instanceof TypeError
    if (!isOfCode) event.preventDefault()
  })
  const nonce = documentNonce()
  if (nonce) {
    // Vite reads the nonce of its links here.
    const meta = document.createElement('meta')
    meta.setAttribute('property', 'csp-nonce')
    meta.nonce = nonce
    document.head.append(meta)
  }
  const folder = import.meta.url.replace(/[^/]*$/, '')
  const giveUp = (link: HTMLLinkElement) => link.sheet ?? link.dispatchEvent(new Event('error'))
  // React waits for its own stylesheets, which have a precedence.
  const isOfChunk = (node: Node): node is HTMLLinkElement =>
    node instanceof HTMLLinkElement &&
    node.rel === 'stylesheet' &&
    node.dataset.precedence === undefined &&
    node.href.startsWith(folder)
  new MutationObserver((records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes])
    for (const link of added.filter(isOfChunk)) setTimeout(giveUp, timeoutMs / 2, link)
  }).observe(document.head, { childList: true })
}
