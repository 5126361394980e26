import { navigation } from 'virtual:waymark/navigation'
import { themeOverlay } from '../theme/overlayStyle.ts'
import { startTheme } from '../theme/store.ts'
import { createLazyModule } from './assets/lazyModule.ts'
import { readDocumentStream } from './document/documentStream.ts'
import { createErrorReports } from './errors/errorReports.ts'
import { createLoader } from './loader.ts'
import { hasDraft, trackTouchedFields } from './navigation/formFields.ts'
import { createHistoryEntries, type HistoryEntries } from './navigation/historyEntries.ts'
import { isPageLink, listenForLinks, mayPrefetch } from './navigation/links.ts'
import { createPrefetchStarter } from './prefetch/prefetchStarter.ts'
import { prefersReducedData } from './prefetch/saveData.ts'
import { recordEvents } from './recordEvents.ts'
import type { Loader } from './runtime.ts'

boot()

/**
 * Takes over the document, without React: links and forms are followed, near pages are prefetched,
 * the theme is applied. React comes with `startReact.tsx`: at once for a page that has client
 * components, else with the router, `routerChunk.ts`, when a navigation is likely.
 */
function boot(): void {
  startTheme()
  if (import.meta.env.DEV) {
    themeOverlay(document)
    recordEvents(window)
  }
  const loader = createLoader({
    documentStream: readDocumentStream(document, navigation.timeoutMs),
    prefetch: createPrefetchStarter(document),
    history: createHistoryEntries(window, () => crypto.randomUUID().slice(0, 8)),
    errors: createErrorReports(window),
    fields: trackTouchedFields(document),
    routerChunk: createLazyModule(() => import('./routerChunk.ts')),
  })
  const { documentStream, prefetch, history, errors } = loader
  void documentStream.interactive.then(loader.hydrate)
  if (hasDraft()) void loader.start()
  onIntent(document, loader)
  onIdle(window, () => {
    if (prefersReducedData()) return
    prefetch.start()
    errors.load()
    if (loader.hasBegun()) void loader.start()
    else loader.preload()
  })
  listenForLinks(document, (request) =>
    loader.navigate(request, (router) => router.navigate(request)),
  )
  listenForHistory(window, loader, history)
  void documentStream.shell.then(() => keepMarkedScroll(history.shownKey))
  import.meta.hot?.on('rsc:update', () => loader.start().then((router) => router.refresh()))
}

/** Without the router, the browser scrolls; elements with positions of their own it leaves out. */
function keepMarkedScroll(shownKey: () => string): void {
  if (!document.querySelector('[data-scroll-restore]')) return
  import('./navigation/scroll.ts').then(
    (code) => code.keepScroll(window, shownKey),
    () => {},
  )
}

/** Follows the browser to the other entries of its history. */
function listenForHistory(view: Window, loader: Loader, entries: HistoryEntries): void {
  const { pathname, search } = view.location
  view.addEventListener('popstate', () => {
    const isSamePage = view.location.pathname === pathname && view.location.search === search
    if (isSamePage && !loader.router()) {
      // Another hash of a page that has had no router yet: the browser has scrolled there.
      entries.currentKey()
      entries.settle()
      return
    }
    loader.start().then(
      (router) => router.traverse(),
      () => view.location.reload(),
    )
  })
}

/**
 * Looks out for what is pointed at or touched: the page of a link is prefetched. The router starts
 * when it is likely to be needed: for a link or a form of the app; where React runs, for any form,
 * which may call an action.
 */
function onIntent(document: Document, loader: Loader): void {
  let isStarted = false
  const onEvent = ({ target }: Event) => {
    const near = target instanceof Element ? target.closest('a, form') : null
    if (!near) return
    const isLink = near instanceof HTMLAnchorElement
    if (isLink && mayPrefetch(near)) loader.prefetch.intend(new URL(near.href))
    const isOurs = isLink
      ? isPageLink(near)
      : near.hasAttribute('data-waymark-form') || loader.hasBegun()
    if (!isOurs || isStarted) return
    isStarted = true
    void loader.start()
  }
  for (const event of ['pointerover', 'focusin', 'touchstart']) {
    document.addEventListener(event, onEvent, { passive: true })
  }
}

/** Calls back when the document is there and the browser has nothing better to do. */
function onIdle(view: Window, act: () => void): void {
  const wait = () => {
    // Safari has no such thing.
    if (view.requestIdleCallback) view.requestIdleCallback(act)
    else view.setTimeout(act, 500)
  }
  if (view.document.readyState === 'complete') wait()
  else view.addEventListener('load', wait, { once: true })
}
