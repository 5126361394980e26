/**
 * Starts to load a document, and starts again if a new service worker takes over before the document
 * arrives. In this case, which may happen right after a deployment, Chromium loses the response of the
 * old worker.
 * @param load starts to load the document
 * @param options `signal`, which is aborted when the document is no longer wanted; a reload needs none
 */
export function loadDocument(
  view: Window,
  load: () => void,
  options?: { readonly signal: AbortSignal },
): void {
  view.navigator.serviceWorker?.addEventListener('controllerchange', load, options)
  load()
}
