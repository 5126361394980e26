import type { Pages, Screen } from '../../components/App.tsx'
import type { HistoryEntries } from '../navigation/historyEntries.ts'
import type { Page } from '../navigation/page.ts'

/** The screen from React's side: what it shows now, and what it was given to show. */
export type RootStore = Screen & {
  /** What React was given last. */
  readonly latest: Pages
  /** What is on the screen. */
  readonly shown: Pages
  /** Whether React takes pages: not before it has taken over the document. */
  readonly isOpen: boolean
  /** Gives React pages to show, in their turn. */
  give(pages: Pages): void
  /** Hears of the pages that are on the screen. */
  follow(listener: (pages: Pages) => void): void
  /** Resolves once React has taken over the document. */
  readonly hydrated: Promise<void>
}

/** Makes the stage of a document, which shows its own page. */
export function createRootStore(page: Page): RootStore {
  const initial: Pages = { shown: page, left: [] }
  let latest = initial
  let shown = initial
  let set: ((pages: Pages) => void) | null = null
  let heard: (pages: Pages) => void = () => {}
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
    get isOpen() {
      return set !== null
    },
    attach(setPages) {
      set = setPages
      if (latest !== initial) set(latest)
    },
    give(pages) {
      latest = pages
      set?.(pages)
    },
    onShown(pages) {
      shown = pages
      heard(pages)
    },
    follow(listener) {
      heard = listener
    },
  }
}

/**
 * Keeps the address of the document's page up to date until there is a router: the app may write
 * to the history, and a page that was rendered at build knows neither its query nor, for a URL
 * that no route answers, its path.
 * @returns gives the page the address in the browser
 */
export function keepAddress(stage: RootStore, history: HistoryEntries): () => void {
  const readdress = ({ pathname, search }: URL, key: string) => {
    const page = stage.latest.shown as Page
    const route = { ...page.route, pathname, search }
    stage.give({ shown: { ...page, key, route } as Page, left: [] })
  }
  history.onAppWrite(readdress)
  return () => {
    const key = history.shownKey()
    const { route } = stage.latest.shown
    const url = new URL(location.href)
    // The browser may be on its way to another entry already.
    if (history.currentKey() !== key) return
    if (url.pathname !== route.pathname || url.search !== route.search) readdress(url, key)
  }
}
