import { navigation } from 'virtual:waymark/navigation'
import { themeOverlay } from '../theme/overlayStyle.ts'
import { startTheme } from '../theme/store.ts'
import { createLazyModule } from './assets/lazyModule.ts'
import { type DocumentStream, readDocumentStream } from './document/documentStream.ts'
import { createErrorReports } from './errors/errorReports.ts'
import { createLoader, type Loader } from './loader.ts'
import { hasDraft, trackTouchedFields } from './navigation/formFields.ts'
import { createHistoryEntries, type HistoryEntries } from './navigation/historyEntries.ts'
import { isPageLink, listenForForms, listenForLinks } from './navigation/links.ts'
import type { NavigationRequest } from './navigation/navigation.ts'
import { createNavigationQueue } from './navigationQueue.ts'
import { createPrefetchStarter } from './prefetch/prefetchStarter.ts'
import { prefersReducedData } from './prefetch/saveData.ts'
import type { BootRuntime } from './runtime.ts'

boot()

/**
 * Takes over the document, without React: links and forms are followed, near pages are fetched
 * ahead, the theme is kept. React comes with `start.tsx`: at once for a page that has client
 * components, else with the router, `late.ts`, when a navigation is likely.
 */
function boot(): void {
  startTheme()
  if (import.meta.env.DEV) themeOverlay(document)
  const arrival = readDocumentStream(document, navigation.timeoutMs)
  const { interactive, shell } = arrival
  const late = createLazyModule(() => import('./routerChunk.ts'))
  const starter = createLoader(() => parts, late, shell)
  const parts = createParts(arrival, starter, late)
  const { history, lead, ahead, errors } = parts
  void interactive.then(starter.hydrate)
  if (hasDraft()) void starter.start()
  onIntent(document, starter)
  onIdle(window, () => {
    if (prefersReducedData()) return
    ahead.start()
    errors.load()
    if (starter.hasBegun) void starter.start()
    else starter.load()
  })
  const navigate = (request: NavigationRequest) =>
    lead(request, (router) => router.navigate(request))
  listenForLinks(document, navigate)
  listenForForms(document, navigate)
  listenForHistory(window, starter, history)
  void shell.then(() => keepMarkedScroll(history.shownKey))
  import.meta.hot?.on('rsc:update', () => starter.start().then((router) => router.refresh()))
}

function createParts(
  arrival: DocumentStream,
  starter: Loader,
  late: BootRuntime['late'],
): BootRuntime {
  const { start: router, router: running, document: taken } = starter
  const fields = trackTouchedFields(document)
  return {
    arrival,
    ahead: createPrefetchStarter(document),
    history: createHistoryEntries(window, () => crypto.randomUUID().slice(0, 8)),
    errors: createErrorReports(window),
    fields,
    late,
    lead: createNavigationQueue({
      running,
      router,
      taken,
      fields,
      timeoutMs: navigation.timeoutMs,
    }),
    router,
    running,
  }
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

/**
 * Starts the router when it is likely to be needed: a link or a form of the app is pointed at or
 * touched; where React runs, any form, which may call an action.
 */
export function onIntent(document: Document, starter: Loader): void {
  const ending = new AbortController()
  const look = ({ target }: Event) => {
    const near = target instanceof Element ? target.closest('a, form') : null
    const isOurs =
      near instanceof HTMLAnchorElement
        ? isPageLink(near)
        : near?.hasAttribute('data-waymark-form') || (near && starter.hasBegun)
    if (!isOurs) return
    ending.abort()
    void starter.start()
  }
  for (const event of ['pointerover', 'focusin', 'touchstart']) {
    document.addEventListener(event, look, { passive: true, signal: ending.signal })
  }
}

/** Calls back when the document is there and the browser has nothing better to do. */
export function onIdle(view: Window, act: () => void): void {
  const wait = () => {
    // Safari has no such thing.
    if (view.requestIdleCallback) view.requestIdleCallback(act)
    else view.setTimeout(act, 500)
  }
  if (view.document.readyState === 'complete') wait()
  else view.addEventListener('load', wait, { once: true })
}
