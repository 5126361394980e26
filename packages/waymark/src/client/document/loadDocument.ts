/**
 * Starts to load a document, and starts again if a new service worker takes over before the document
 * arrives. In this case, which may happen right after a deployment, Chromium loses the response of the
 * old worker.
 * @param load starts to load the document
 * @returns a function to call if the document is no longer wanted
 */
export function loadDocument(view: Window, load: () => void): () => void {
  const attempt = new AbortController()
  const end = () => attempt.abort()
  // The user may come back to this document from the back/forward cache.
  view.addEventListener('pagehide', end, { once: true })
  const { signal } = attempt
  view.navigator.serviceWorker?.addEventListener('controllerchange', load, { signal })
  load()
  return end
}
