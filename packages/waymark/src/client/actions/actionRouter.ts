import type { NavigationOutcome } from '../../components/navigationStore.ts'
import { navigateDocument } from '../navigation/documentNavigation.ts'
import { isOtherBuild, type LoadedPage } from '../navigation/fetchPage.ts'
import { watchStreamEnd } from '../navigation/loadPage.ts'
import type { Navigator } from '../navigation/navigator.ts'
import { completePage, type Page } from '../navigation/page.ts'
import type { PrefetchStarter } from '../prefetch/prefetchStarter.ts'

/** What actions change in the pages of a document. Each gets the page that it was called on. */
export type ActionRouter = {
  /** The page on the screen. */
  current(): Page
  /** Whether a page is the one on the screen, by its address. */
  isShown(page: Page): boolean
  /** Shows the page as it is after the action. */
  showPage(loaded: LoadedPage, calledOn: Page): Promise<void>
  /** Shows a screen in place of the page. */
  showScreen(loaded: LoadedPage, calledOn: Page): Promise<void>
  /**
   * Follows a redirect, unless the user has left for elsewhere.
   * @param location a path of the site, or a whole URL
   */
  follow(location: string, kind: 'push' | 'replace', calledOn: Page): Promise<void>
}

/** What it depends on. */
export type ActionRouterOptions = {
  readonly navigator: Navigator
  readonly prefetch: Pick<PrefetchStarter, 'invalidate'>
  /** The document's build; `null` when it is not known. */
  readonly build: string | null
  readonly timeoutMs: number
  /** Loads the code and styles that a page needs. */
  readonly loadAssets: (payload: LoadedPage['payload'], signal: AbortSignal) => Promise<void>
}

/** A document that is loaded ends this one; a file that is downloaded does not. */
const leavingMs = 5000

/** Creates it for a document. */
export function createActionRouter(options: ActionRouterOptions): ActionRouter {
  const { navigator, prefetch, build, timeoutMs, loadAssets } = options

  function invalidate(): void {
    navigator.invalidate()
    prefetch.invalidate()
  }
  function isShown({ route, from }: Page): boolean {
    const shown = navigator.current()
    const { pathname, search } = shown.route
    return pathname === route.pathname && search === route.search && shown.from === from
  }
  // The page on the screen, or about to be, may have been rendered before the action changed it.
  function refreshAfter(leaving: Promise<NavigationOutcome> | null): void {
    const left = leaving ?? Promise.resolve('committed')
    void left.then((outcome) => {
      if (outcome === 'committed') void navigator.refresh()
    })
  }
  return {
    current: navigator.current,
    isShown,
    async showPage(loaded, calledOn) {
      invalidate()
      // The page of another build names code that is not here: its document is loaded instead.
      if (isOtherBuild(loaded.build, build)) return refreshAfter(navigator.leaving())
      // Past their time, a page without style, or with a part to come, is better than none.
      await loadAssets(loaded.payload, AbortSignal.timeout(timeoutMs)).catch(() => {})
      const leaving = navigator.leaving()
      if (!isShown(calledOn) || !rerender(options, loaded)) return refreshAfter(leaving)
      if (leaving) refreshAfter(leaving)
    },
    async showScreen(loaded, calledOn) {
      invalidate()
      if (!isShown(calledOn) || navigator.leaving()) return
      const url = new URL(window.location.href)
      await navigator.navigate({
        kind: 'refresh',
        url,
        scroll: false,
        fromAction: { page: loaded },
      })
    },
    async follow(location, kind, calledOn) {
      invalidate()
      const url = new URL(location, window.location.href)
      // The server has checked it; a second look costs nothing.
      if (!/^https?:$/.test(url.protocol)) return
      const leaving = navigator.leaving()
      if (!isShown(calledOn) || leaving) return refreshAfter(leaving)
      if (url.origin === window.location.origin) {
        await navigator.navigate({ kind, url, scroll: true, fromAction: { page: null } })
        return
      }
      navigateDocument(window, url)
      await new Promise((resolve) => setTimeout(resolve, leavingMs))
    },
  }
}

/** Puts a page in place of the one on the screen. @returns false when another is about to be shown */
function rerender({ navigator, timeoutMs }: ActionRouterOptions, loaded: LoadedPage): boolean {
  const shown = navigator.current()
  const { key } = shown
  const page = completePage(loaded.payload, shown, { key, fetchedAtMs: Date.now() })
  if (!navigator.rerender(page)) return false
  watchStreamEnd(loaded, { timeoutMs }, navigator.refetchBroken)
  return true
}
