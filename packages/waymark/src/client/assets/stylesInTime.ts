import { timeoutMs } from 'virtual:waymark/limits'
import { documentNonce } from '../document/documentStream.ts'

/**
 * Keeps stylesheets from holding back code. Vite loads the stylesheets of a chunk first, and
 * rejects the `import()` if one of them fails. But code works without its styles, so Vite should
 * continue if a stylesheet fails or takes longer than half of a navigation's time limit.
 *
 * Vite waits for the first `load` or `error` event of each `<link>`, so this function dispatches
 * `load` if a stylesheet fails or is late. Errors in the code itself still reject the `import()`.
 * @see https://vite.dev/guide/build.html#load-error-handling
 */
export function loadStylesInTime({ document }: Window): void {
  const nonce = documentNonce()
  if (nonce) {
    // Vite takes the nonce for its links from this element.
    const meta = document.createElement('meta')
    meta.setAttribute('property', 'csp-nonce')
    meta.nonce = nonce
    document.head.append(meta)
  }
  const folder = import.meta.url.replace(/[^/]*$/, '')
  // Ignore stylesheets with a precedence: React inserted these, and waits for them itself.
  const isOfChunk = (node: unknown): node is HTMLLinkElement =>
    node instanceof HTMLLinkElement &&
    node.rel === 'stylesheet' &&
    node.dataset.precedence === undefined &&
    node.href.startsWith(folder)
  const endWait = (link: HTMLLinkElement) => link.dispatchEvent(new Event('load'))
  // Vite's listener is on the link itself, so this capturing listener runs before it.
  const onError = ({ target }: Event) => isOfChunk(target) && endWait(target)
  document.addEventListener('error', onError, true)
  new MutationObserver((records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes])
    for (const link of added.filter(isOfChunk)) {
      setTimeout(() => link.sheet ?? endWait(link), timeoutMs / 2)
    }
  }).observe(document.head, { childList: true })
}
