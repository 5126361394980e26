import type { Pages, PagesStore } from '../../components/App.tsx'
import type { HistoryEntries } from '../navigation/historyEntries.ts'
import type { Page } from '../navigation/page.ts'

/** The pages that React was given, and those that it shows. */
export type RootStore = PagesStore & {
  /** What React was given last. */
  readonly latest: Pages
  /** What is on the screen. */
  readonly shown: Pages
  /** Whether React renders pages: not before it has taken over the document. */
  readonly isAttached: boolean
  set(pages: Pages): void
  /** Calls back when pages are on the screen; one listener. */
  subscribe(listener: (pages: Pages) => void): void
  /** Resolves once React has taken over the document. */
  readonly hydrated: Promise<void>
}

/** Creates the store of a document, which shows its own page. */
export function createRootStore(page: Page): RootStore {
  const initial: Pages = { current: page, previous: [] }
  let latest = initial
  let shown = initial
  let setPages: ((pages: Pages) => void) | null = null
  let listener: (pages: Pages) => void = () => {}
  let onReady = () => {}
  const hydrated = new Promise<void>((resolve) => {
    onReady = resolve
  })
  return {
    initial,
    hydrated,
    onReady,
    get latest() {
      return latest
    },
    get shown() {
      return shown
    },
    get isAttached() {
      return setPages !== null
    },
    attach(set) {
      setPages = set
      if (latest !== initial) set(latest)
    },
    set(pages) {
      latest = pages
      setPages?.(pages)
    },
    onShown(pages) {
      shown = pages
      listener(pages)
    },
    subscribe(next) {
      listener = next
    },
  }
}

/**
 * Updates the address of the document's page until there is a router: the app may write to the
 * history, and a page that was rendered at build knows neither its query nor, for a URL that no
 * route matches, its path.
 * @returns gives the page the address in the browser
 */
export function trackAddress(store: RootStore, history: HistoryEntries): () => void {
  const setAddress = ({ pathname, search }: URL, key: string) => {
    const page = store.latest.current as Page
    const route = { ...page.route, pathname, search }
    store.set({ current: { ...page, key, route } as Page, previous: [] })
  }
  history.onAppWrite(setAddress)
  return () => {
    const key = history.shownKey()
    const { route } = store.latest.current
    const url = new URL(location.href)
    // The browser may be on its way to another entry already.
    if (history.currentKey() !== key) return
    if (url.pathname !== route.pathname || url.search !== route.search) setAddress(url, key)
  }
}
