/** Loads a document, also that of the address that the browser shows already. */
export function openDocument(view: Window, url: URL): void {
  // To its own address with a hash, the browser would only scroll.
  if (url.href === view.location.href) view.location.reload()
  else view.location.assign(url)
}
