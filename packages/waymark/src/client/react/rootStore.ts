import type { MovedPages, Pages, PagesState, PagesStore } from '../../components/App.tsx'
import type { HistoryEntries } from '../navigation/historyEntries.ts'
import type { Page } from '../navigation/page.ts'

export type RootStore = PagesStore & {
  /** Pages that were last passed to React. */
  readonly latest: Pages
  /** The pages of React's last commit. */
  readonly committed: Pages
  /** True once React has hydrated the document and can render other pages. */
  readonly isAttached: boolean
  set(pages: Pages): void
  /**
   * Changes the address of the current page in the same React update as the app's own state, because
   * the app has written a history entry, for example while the user types. A navigation whose page
   * React is still rendering continues.
   */
  setAddress(page: Page): void
  /** Pages that a navigation is about to show. `onCommit` runs once the pages are on the screen. */
  waiting: { readonly pages: Pages; readonly onCommit: () => void } | null
  /** Resolves once React has hydrated the document. */
  readonly hydrated: Promise<void>
}

export function createRootStore(page: Page): RootStore {
  const initial: Pages = { current: page, previous: [] }
  let setState = (_: PagesState) => {}
  let moved: MovedPages | undefined
  /** The committed pages before the app changed their address. */
  let base = initial
  let onReady = () => {}
  const hydrated = new Promise<void>((resolve) => {
    onReady = resolve
  })
  const store = {
    initial,
    hydrated,
    onReady,
    latest: initial,
    committed: initial,
    isAttached: false,
    waiting: null as RootStore['waiting'],
    attach(set: typeof setState) {
      setState = set
      store.isAttached = true
      if (store.latest !== initial) store.set(store.latest)
    },
    set(pages: Pages) {
      store.latest = pages
      setState([pages, moved])
    },
    setAddress(current: Page) {
      moved = { ...store.committed, current, base }
      // Also replace a rendering that still has the previous address, but no page of a navigation.
      store.set(store.waiting ? store.latest : moved)
    },
    onCommit(pages: Pages, deferred: Pages) {
      store.committed = pages
      base = deferred
      if (store.waiting?.pages !== pages) return
      store.waiting.onCommit()
      store.waiting = null
    },
  }
  return store
}

/**
 * Keeps the address of the document's page up to date until the router has loaded, because the app
 * may write history entries.
 * @returns a function that copies the browser's address, for a page that was rendered at build time
 * and doesn't know its query
 */
export function trackAddress(store: RootStore, history: HistoryEntries): () => void {
  const rendered = store.latest.current.route
  const setAddress = ({ pathname, search }: URL, key: string) => {
    const page = store.latest.current as Page
    const route = { ...page.route, pathname, search }
    store.setAddress({ ...page, key, from: pathname, route, rendered } as Page)
  }
  history.onAppWrite(setAddress)
  return () => {
    const key = history.settledKey()
    const { route } = store.latest.current
    const url = new URL(location.href)
    // Ignore the browser's address if it already belongs to a different history entry.
    if (history.currentKey() !== key) return
    if (url.pathname !== route.pathname || url.search !== route.search) setAddress(url, key)
  }
}
