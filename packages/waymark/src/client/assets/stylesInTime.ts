import { timeoutMs } from 'virtual:waymark/limits'
import { documentNonce } from '../document/documentStream.ts'

/**
 * Vite loads the stylesheets of a chunk before the chunk, and rejects the `import()` when one fails.
 * Code runs without its styles, too: a stylesheet that fails, or that takes half of a route's limit,
 * must not hold the code back.
 *
 * Vite waits for the first `load` or `error` event of each `<link>`. We send `load` in both cases, so
 * Vite never rejects because of a stylesheet. An error of the code itself is left to Vite, which
 * sends `vite:preloadError` and rejects the `import()`.
 * @see https://vite.dev/guide/build.html#load-error-handling
 */
export function loadStylesInTime({ document }: Window): void {
  const nonce = documentNonce()
  if (nonce) {
    // Vite reads the nonce of its links here.
    const meta = document.createElement('meta')
    meta.setAttribute('property', 'csp-nonce')
    meta.nonce = nonce
    document.head.append(meta)
  }
  const folder = import.meta.url.replace(/[^/]*$/, '')
  // React waits for its own stylesheets, which have a precedence.
  const isOfChunk = (node: unknown): node is HTMLLinkElement =>
    node instanceof HTMLLinkElement &&
    node.rel === 'stylesheet' &&
    node.dataset.precedence === undefined &&
    node.href.startsWith(folder)
  const endWait = (link: HTMLLinkElement) => link.dispatchEvent(new Event('load'))
  // The capturing listener runs before Vite's listener, which is on the link itself.
  const onError = ({ target }: Event) => isOfChunk(target) && endWait(target)
  document.addEventListener('error', onError, true)
  new MutationObserver((records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes])
    for (const link of added.filter(isOfChunk)) {
      setTimeout(() => link.sheet ?? endWait(link), timeoutMs / 2)
    }
  }).observe(document.head, { childList: true })
}
