import type { NavigationOutcome } from '../../components/navigationStore.ts'
import { navigateDocument } from '../navigation/documentNavigation.ts'
import type { LoadedPage } from '../navigation/fetchPage.ts'
import type { Navigator } from '../navigation/navigator.ts'
import { completePage, type Page } from '../navigation/page.ts'
import { type PageSource, watchStreamEnd } from '../navigation/pageSource.ts'
import type { PrefetchStarter } from '../prefetch/prefetchStarter.ts'
import type { PageView } from '../react/showPage.ts'

/** What actions do with the pages of a document. */
export type ActionRouter = {
  /** The page on the screen. */
  current(): Page
  /** Whether a page is the one on the screen, by its address. */
  isShown(page: Page): boolean
  /** Shows what an action has made of the page it was called on. */
  adopt(loaded: LoadedPage, asked: Page): Promise<void>
  /** Shows a screen in place of the page that an action was called on. */
  answerScreen(loaded: LoadedPage, asked: Page): Promise<void>
  /** Goes where an action redirects to, unless the person has left for elsewhere. */
  follow(redirect: ActionRedirect, asked: Page): Promise<void>
}

/** Where an action redirects to. */
export type ActionRedirect = {
  /** A path of the site, or a whole URL. */
  readonly location: string
  readonly kind: 'push' | 'replace'
  readonly loaded: LoadedPage | null
}

/** What it is made of. */
export type ActionRouterOptions = {
  readonly navigator: Navigator
  readonly screen: Pick<PageView, 'rerender'>
  readonly source: Pick<PageSource, 'invalidate'>
  readonly prefetch: Pick<PrefetchStarter, 'invalidate'>
  readonly timeoutMs: number
  /** Code and styles that a page needs are there. */
  readonly assetsOf: (payload: LoadedPage['payload'], signal: AbortSignal) => Promise<void>
  /** What still arrived of the page turned out to be cut. */
  readonly onBroken: () => void
}

/** A document that is loaded ends this one; a file that is saved does not. */
const leavingMs = 5000

/** Makes it for a document. */
export function createActionRouter(options: ActionRouterOptions): ActionRouter {
  const { navigator, source, prefetch } = options

  function invalidate(): void {
    source.invalidate()
    prefetch.invalidate()
  }
  function isShown({ route, from }: Page): boolean {
    const shown = navigator.current()
    const { pathname, search } = shown.route
    return pathname === route.pathname && search === route.search && shown.from === from
  }
  // What is shown, or about to be, may have been rendered before the action had changed it.
  function refreshAfter(leaving: Promise<NavigationOutcome> | null): void {
    const left = leaving ?? Promise.resolve('committed')
    void left.then((outcome) => {
      if (outcome === 'committed') void navigator.refresh()
    })
  }

  return {
    current: navigator.current,
    isShown,
    async adopt(loaded, asked) {
      invalidate()
      await inTime(options, loaded)
      const leaving = navigator.leaving()
      if (!isShown(asked) || !renew(options, loaded)) return refreshAfter(leaving)
      if (leaving) refreshAfter(leaving)
    },
    async answerScreen(loaded, asked) {
      invalidate()
      if (!isShown(asked) || navigator.leaving()) return
      const url = new URL(window.location.href)
      await navigator.navigate({ kind: 'refresh', url, scroll: false, answer: once(loaded) })
    },
    async follow({ location, kind, loaded }, asked) {
      invalidate()
      const url = new URL(location, window.location.href)
      // The server has checked it; a second look costs nothing.
      if (!/^https?:$/.test(url.protocol)) return
      const leaving = navigator.leaving()
      if (!isShown(asked) || leaving) return refreshAfter(leaving)
      if (url.origin === window.location.origin) {
        await navigator.navigate({ kind, url, scroll: true, answer: once(loaded) })
        return
      }
      navigateDocument(window, url)
      await new Promise((resolve) => setTimeout(resolve, leavingMs))
    },
  }
}

/** Puts a page in place of the one on the screen. @returns false when another one is about to */
function renew(
  { navigator, screen, onBroken, timeoutMs }: ActionRouterOptions,
  loaded: LoadedPage,
) {
  const shown = navigator.current()
  const { key } = shown
  const page = completePage(loaded.payload, shown, { key, fetchedAtMs: Date.now() })
  if (!screen.rerender(page)) return false
  navigator.rerender(page)
  watchStreamEnd(loaded, { timeoutMs }, onBroken)
  return true
}

// Past their time, a page without style, or with a part that is still to come, is better than none.
async function inTime({ assetsOf, timeoutMs }: ActionRouterOptions, loaded: LoadedPage) {
  const late = AbortSignal.timeout(timeoutMs)
  await assetsOf(loaded.payload, late).catch(() => {})
}

/** A page that turns out to be cut is fetched the second time. */
function once(loaded: LoadedPage | null): { take(): LoadedPage | null } {
  let page = loaded
  return {
    take() {
      const taken = page
      page = null
      return taken
    },
  }
}
