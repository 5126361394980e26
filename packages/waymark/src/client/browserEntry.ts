// Keep this import first: the modules below may import chunks while they are evaluated.
import './assets/chunkImports.ts'
// Runs the app's `clientSetup`, before any other code of the framework.
import 'virtual:waymark/startup'
import { onBoot } from 'virtual:waymark/hooks/onBoot'
import { onEvent } from 'virtual:waymark/hooks/onEvent'
import { onIdle as idleHooks } from 'virtual:waymark/hooks/onIdle'
import { timeoutMs } from 'virtual:waymark/limits'
import { pageFormAttribute } from '../components/linkAttributes.ts'
import { basePath } from '../shared/basePath.ts'
import { themeOverlay } from '../theme/devTheme.ts'
import { themeStoreOf } from '../theme/store.ts'
import { attachTracer, parseLoad, type TracedEvent, withoutValues } from '../wire/trace.ts'
import { placeDevStyles } from './assets/devStyles.ts'
import { createLazyModule } from './assets/lazyModule.ts'
import { readDocumentStream } from './document/documentStream.ts'
import { documentErrors } from './errors/documentErrors.ts'
import { createLoader } from './loader.ts'
import { linkOf } from './navigation/clickedLink.ts'
import { hasDraft, trackTouchedFields } from './navigation/formFields.ts'
import { createHistoryEntries, type HistoryEntries } from './navigation/historyEntries.ts'
import { isPageLink, listenForLinks, mayPrefetch } from './navigation/links.ts'
import { createPrefetchStarter, prefersReducedData } from './prefetch/prefetchStarter.ts'
import type { Loader } from './runtime.ts'

boot()

/**
 * Takes over the document, without React. `startReact.tsx` adds React: at once for a page with client
 * components, and otherwise together with the router, when a navigation is likely.
 */
function boot(): void {
  themeStoreOf(window)
  if (import.meta.env.DEV) {
    themeOverlay(document)
    placeDevStyles(document, import.meta.env.WAYMARK_ROOT, basePath)
    recordEvents(window)
  } else if (import.meta.env.WAYMARK_TRACED) {
    attachTracer({ record: callEventHooks, load: () => null })
  }
  const loader = createLoader({
    documentStream: readDocumentStream(document, timeoutMs),
    prefetch: createPrefetchStarter(document),
    // Don't use `randomUUID`, which doesn't exist on pages without TLS.
    history: createHistoryEntries(window, () => Math.random().toString(36).slice(2, 10)),
    errors: documentErrors,
    fields: trackTouchedFields(document),
    routerChunk: createLazyModule(() => import('./routerChunk.tsx')),
  })
  const { documentStream, prefetch, history, errors } = loader
  if (onBoot) onBoot(loader.start)
  void documentStream.interactive.then(loader.hydrate)
  if (hasDraft()) void loader.start()
  onIntent(document, loader)
  onIdle(window, () => {
    if (idleHooks) idleHooks(loader.start)
    if (prefersReducedData()) return
    prefetch.start()
    errors.load()
    if (loader.hasBegun()) void loader.start()
    else loader.preload()
  })
  listenForLinks(document, loader.navigate)
  listenForHistory(window, loader, history)
  void documentStream.shell.then(() => keepMarkedScroll(history.settledKey))
  import.meta.hot?.on('rsc:update', () => loader.start().then((router) => router.refresh()))
}

function callEventHooks(event: TracedEvent): void {
  if (onEvent) onEvent(event)
}

/**
 * Keeps the scroll positions of elements with `data-scroll-restore`. Until the router has started,
 * the browser restores only the document's own position.
 */
function keepMarkedScroll(settledKey: () => string): void {
  if (!document.querySelector('[data-scroll-restore]')) return
  const code = import('./navigation/scroll.ts')
  code.then(({ keepScroll }) => keepScroll(window, settledKey)).catch(() => {})
}

function listenForHistory(view: Window, loader: Loader, entries: HistoryEntries): void {
  if (hasGoneBack(view)) view.location.reload()
  const { pathname, search } = view.location
  view.addEventListener('popstate', () => {
    const isSamePage = view.location.pathname === pathname && view.location.search === search
    if (isSamePage && !loader.router()) {
      // Only the hash has changed, so the browser has already scrolled, and the history entry just
      // needs a key.
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
 * True if the user went back before this code ran. The address then belongs to a different page than
 * the document. Always false in a browser without the Navigation API. Doesn't find a step forward,
 * because an entry that the app itself has pushed looks the same.
 */
function hasGoneBack({ navigation }: Window): boolean {
  const arrived = navigation?.activation?.entry.index ?? 0
  return (navigation?.currentEntry?.index ?? arrived) < arrived
}

/**
 * Prefetches the page of a link when the user points at it. Starts the router when the user points
 * at a link or a form of the app.
 */
function onIntent(document: Document, loader: Loader): void {
  let isStarted = false
  const onEvent = (event: Event) => {
    const link = linkOf(event)
    if (link && mayPrefetch(link)) loader.prefetch.intend(new URL(link.href))
    const isOurs = link ? isPageLink(link) : isInForm(event.target)
    if (!isOurs || isStarted) return
    isStarted = true
    void loader.start()
  }
  const isInForm = (target: EventTarget | null) => {
    const form = target instanceof Element ? target.closest('form') : null
    return form !== null && (form.hasAttribute(pageFormAttribute) || loader.hasBegun())
  }
  for (const event of ['pointerover', 'focusin', 'touchstart']) {
    document.addEventListener(event, onEvent, { passive: true })
  }
}

function onIdle(view: Window, act: () => void): void {
  const wait = () => {
    // Safari doesn't have `requestIdleCallback`.
    if (view.requestIdleCallback) view.requestIdleCallback(act)
    else view.setTimeout(act, 500)
  }
  if (view.document.readyState === 'complete') wait()
  else view.addEventListener('load', wait)
}

type BrowserEvent = TracedEvent & {
  readonly id: string
  readonly at: number
  readonly load: string
  readonly side: 'browser'
}

/** Records the latest events in `window.waymarkEvents`, and sends them to the dev server. */
function recordEvents(view: Window): void {
  const eventName = 'waymark:event'
  const maxEvents = 500
  const newId = () => Math.random().toString(36).slice(2, 12).padEnd(4, '0')
  const documentId = newId()
  let load = documentLoad(view) ?? documentId
  let count = 0
  const events: BrowserEvent[] = []
  const digests = new Set<string>()
  Object.assign(view, { waymarkEvents: events })

  function record(traced: TracedEvent): void {
    if (traced.type === 'navigation' && traced.state === 'start' && count > 0) load = newId()
    const cut = 'url' in traced ? { ...traced, url: withoutValues(traced.url) } : traced
    const event = {
      ...cut,
      id: `${documentId}-${count++}`,
      at: Date.now(),
      load,
      side: 'browser' as const,
    }
    if (events.push(event) > maxEvents) events.shift()
    view.dispatchEvent(new CustomEvent(eventName, { detail: event }))
    import.meta.hot?.send(eventName, event)
    // A hook may start work that fails later, and that failure is recorded as an error, too. Pass
    // each error to the hooks only once, so that a failing hook can't cause an endless loop.
    if (traced.type !== 'error') callEventHooks(traced)
    else if (!digests.has(traced.digest)) {
      digests.add(traced.digest)
      callEventHooks(traced)
    }
  }

  attachTracer({ record, load: () => load })
  const ofDocument = { type: 'navigation', url: view.location.href, kind: 'document' } as const
  record({ ...ofDocument, state: 'start', outcome: null })
  const ended = () => record({ ...ofDocument, state: 'idle', outcome: 'committed' })
  if (view.document.readyState === 'complete') ended()
  else view.addEventListener('load', ended, { once: true })
}

/** Returns the id that the server assigned to this page load in the `Server-Timing` header. */
function documentLoad(view: Window): string | null {
  const [entry] = view.performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return parseLoad(entry?.serverTiming?.find(({ name }) => name === 'load')?.description)
}
