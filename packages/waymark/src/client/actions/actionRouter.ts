import type { NavigationOutcome } from '../../components/navigationStore.ts'
import type { DataChange } from '../../wire/callHeaders.ts'
import { navigateDocument } from '../navigation/documentNavigation.ts'
import { assertPageOf, isOtherBuild, type LoadedPage } from '../navigation/fetchPage.ts'
import { isInApp } from '../navigation/links.ts'
import { watchStreamEnd } from '../navigation/loadPage.ts'
import type { Navigator } from '../navigation/navigator.ts'
import { completePage, type Page } from '../navigation/page.ts'
import type { PrefetchStarter } from '../prefetch/prefetchStarter.ts'

export type ActionRouterOptions = {
  readonly navigator: Navigator
  readonly prefetch: Pick<PrefetchStarter, 'invalidate'>
  readonly build: string | null
  readonly timeoutMs: number
  readonly loadAssets: (payload: LoadedPage['payload'], signal: AbortSignal) => Promise<void>
}

/** Maximum milliseconds to wait for a new document. None ever arrives if the URL is a download. */
const leavingMs = 5000

export function createActionRouter(options: ActionRouterOptions) {
  const { navigator, prefetch, build, timeoutMs, loadAssets } = options

  function invalidate(change: DataChange): void {
    navigator.invalidate(change)
    prefetch.invalidate()
  }
  const isCurrent = (page: Page) => isSamePage(page, navigator.current())
  return {
    previous: navigator.previous,
    isCurrent,
    invalidate,
    /**
     * Refreshes the page to which the user has navigated since the call, because the page may show
     * outdated data.
     */
    refreshOtherPage(calledOn: Page): void {
      const leaving = navigator.leaving()
      if (leaving || !isCurrent(calledOn)) void refreshAfter(leaving, navigator)
    },
    async showPage(loaded: LoadedPage, calledOn: Page): Promise<void> {
      // A page from a different build needs code that this document doesn't have. A refresh loads
      // such a page as a new document.
      if (isOtherBuild(loaded.build, build) || !isPageOf(loaded, calledOn)) {
        return void refreshAfter(navigator.leaving(), navigator)
      }
      // Ignore the timeout, because the page can be shown without some of its styles or code.
      await loadAssets(loaded.payload, AbortSignal.timeout(timeoutMs)).catch(() => {})
      const leaving = navigator.leaving()
      const isRendered = isCurrent(calledOn) && rerender(options, loaded)
      if (leaving || !isRendered) void refreshAfter(leaving, navigator)
    },
    async showScreen(loaded: LoadedPage, calledOn: Page): Promise<void> {
      if (!isCurrent(calledOn) || navigator.leaving()) return
      const url = new URL(window.location.href)
      await navigator.navigate({
        kind: 'refresh',
        url,
        scroll: false,
        fromAction: { page: loaded },
      })
    },
    async follow(location: string, kind: 'push' | 'replace', calledOn: Page): Promise<void> {
      const url = new URL(location, window.location.href)
      if (!/^https?:$/.test(url.protocol)) return
      const leaving = navigator.leaving()
      if (!isCurrent(calledOn) || leaving) return void refreshAfter(leaving, navigator)
      if (isInApp(url)) {
        await navigator.navigate({ kind, url, scroll: true, fromAction: { page: null } })
        return
      }
      navigateDocument(window, url)
      await new Promise((resolve) => setTimeout(resolve, leavingMs))
    },
  }
}

/** False if a proxy has mixed up responses and this one belongs to a different call. */
function isPageOf({ payload, build }: LoadedPage, { route }: Page): boolean {
  try {
    assertPageOf(payload, new URL(route.pathname + route.search, window.location.href), build)
    return true
  } catch {
    return false
  }
}

function isSamePage(a: Page, b: Page): boolean {
  const isSameUrl = a.route.pathname === b.route.pathname && a.route.search === b.route.search
  return isSameUrl && a.from === b.from
}

/**
 * Refreshes the page that is shown, or is about to be shown, because its data may be older than the
 * action's change.
 */
async function refreshAfter(
  leaving: Promise<NavigationOutcome> | null,
  navigator: Navigator,
): Promise<void> {
  if (leaving === null || (await leaving) === 'committed') await navigator.refresh()
}

/** Renders the current page again. @returns false if a different page is about to be shown */
function rerender({ navigator, timeoutMs }: ActionRouterOptions, loaded: LoadedPage): boolean {
  const current = navigator.current()
  const { key } = current
  const page = completePage(loaded.payload, current, { key, ...navigator.stamp() })
  if (!navigator.rerender(page)) return false
  watchStreamEnd(loaded, { timeoutMs }, navigator.repair)
  return true
}
