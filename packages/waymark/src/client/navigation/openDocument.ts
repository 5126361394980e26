import type { NavigationKind } from './events.ts'

/** Loads a document, also that of the address that the browser shows already. */
export function navigateDocument(view: Window, url: URL, kind: NavigationKind = 'push'): void {
  // To its own address with a hash, the browser would only scroll.
  if (url.href === view.location.href) view.location.reload()
  else if (kind === 'replace') view.location.replace(url)
  else view.location.assign(url)
}
