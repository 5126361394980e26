import type { HistoryEntries } from './navigation/historyEntries.ts'
import type { Loader } from './starter.ts'

/** Follows the browser to the other entries of its history. */
export function listenForHistory(view: Window, starter: Loader, entries: HistoryEntries): void {
  const { pathname, search } = view.location
  view.addEventListener('popstate', () => {
    const isSamePage = view.location.pathname === pathname && view.location.search === search
    if (isSamePage && !starter.router()) {
      // Another hash of a page that has had no router yet: the browser has scrolled there.
      entries.currentKey()
      entries.settle()
      return
    }
    starter.start().then(
      (router) => router.traverse(),
      () => view.location.reload(),
    )
  })
}
