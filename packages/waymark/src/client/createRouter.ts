import { navigation } from 'virtual:waymark/navigation'
import { createFromReadableStream } from '@vitejs/plugin-rsc/react/browser'
import type { NavigationStore } from '../components/navigationStore.ts'
import type { Payload } from '../shared/payload.ts'
import { hrefProblem } from '../shared/safeHref.ts'
import { loadActions } from './actions/load.ts'
import type { ClientModules } from './assets/modules.ts'
import { reloadOnce } from './assets/reload.ts'
import { loadStyles } from './assets/stylesheets.ts'
import { documentLocale } from './document/documentPayload.ts'
import { trackDirtyForms } from './navigation/blockers.ts'
import { navigateDocument } from './navigation/documentNavigation.ts'
import { loadFallbackNotice } from './navigation/fallbackNotice.ts'
import type { LoadedPage } from './navigation/fetchPage.ts'
import { hasDraft } from './navigation/formFields.ts'
import { createNavigator, type Navigator } from './navigation/navigator.ts'
import { createNoticeBoard } from './navigation/notice.ts'
import type { Page } from './navigation/page.ts'
import { createPageSource } from './navigation/pageSource.ts'
import { createRouteAnnouncer } from './navigation/routeAnnouncer.ts'
import { keepScroll } from './navigation/scroll.ts'
import type { Prefetched } from './prefetch/prefetcher.ts'
import type { PrefetchStarter } from './prefetch/prefetchStarter.ts'
import type { RootStore } from './react/rootStore.ts'
import { createPageView } from './react/showPage.ts'
import type { HydratedDocument, RouterCore } from './routerCore.ts'
import type { BootRuntime } from './runtime.ts'

/** Makes the router of a document that React takes over. */
export function createRouter(boot: BootRuntime, hydrated: HydratedDocument): RouterCore {
  const { history, ahead, errors } = boot
  const { stage, modules, build, calls, events, store, blockers } = hydrated
  const locale = documentLocale()
  const forms = trackDirtyForms(document, boot.fields, calls.isSending)
  // With the document, the answers would be lost, too, that its actions wait for.
  const isDirty = () => forms.isDirty() || calls.isBusy()
  const assets = (payload: Payload, signal: AbortSignal) => assetsOf(payload, modules, signal)
  const source = createPageSource({
    settings: navigation,
    now: Date.now,
    build,
    takePrefetched: takerOf(ahead, build),
    assetsOf: assets,
    onBroken: () => running.mend(),
  })
  const screen = createPageView(stage, source.kept, navigation.timeoutMs)
  const navigator = createNavigator(stage.latest.shown as Page, {
    settings: navigation,
    source,
    history,
    scroll: keepScroll(window, history.shownKey),
    arrival: createRouteAnnouncer(document),
    blockers,
    events,
    store,
    wayOut: loadFallbackNotice(window, isDirty),
    show: screen.show,
    hydrated: markable(stage),
    now: Date.now,
  })
  keepOwnScroll(window)
  if (import.meta.env.DEV) listenForDevReloads(window, store)
  events.on('commit', ({ kind, url }) => {
    if (kind !== 'refresh') ahead.turnPage()
    errors.visited(url)
  })
  const { timeoutMs } = navigation
  const onBroken = () => running.mend()
  const answer = loadActions({
    view: window,
    board: createNoticeBoard(document, locale),
    notices: locale.texts.notices,
    ownTexts: locale.texts.actions,
    changed: forms.changed,
    silenceMs: timeoutMs,
    pages: { navigator, screen, source, ahead, timeoutMs, assetsOf: assets, onBroken },
  })
  putBackTyped(stage)
  const running = createRunning({ navigator, store, isDirty, answer })
  return running
}

/** From now on the router scrolls; a document that is loaded again is the browser's matter. */
function keepOwnScroll(view: Window): void {
  view.history.scrollRestoration = 'manual'
  view.addEventListener('pagehide', () => {
    view.history.scrollRestoration = 'auto'
  })
}

/** Puts back what was typed in the document before this one. */
function putBackTyped({ hydrated }: RootStore): void {
  if (!hasDraft()) return
  // Without the code it stays in the storage, for a document that has better luck.
  import('./actions/actionsChunk.ts').then(
    (code) => code.restoreDraft(window, hydrated),
    () => {},
  )
}

/** What is mounted late within the document is hydrated after it: development React looks there, too. */
function markable({ hydrated }: RootStore): Promise<void> {
  if (!import.meta.env.DEV) return hydrated
  return hydrated.then(() => new Promise((resolve) => setTimeout(resolve, 300)))
}

type RunningOptions = {
  readonly navigator: Navigator
  readonly store: NavigationStore
  readonly isDirty: () => boolean
  readonly answer: RouterCore['answer']
}

function createRunning({ navigator, store, isDirty, answer }: RunningOptions): RouterCore {
  const mended = new Set<string>()
  return {
    navigate: navigator.navigate,
    async go(kind, href, { scroll = true, signal } = {}) {
      const problem = hrefProblem(href)
      if (problem) throw problem
      const url = new URL(href, location.href)
      if (url.origin === location.origin) return navigator.navigate({ kind, url, scroll, signal })
      if (!/^https?:$/.test(url.protocol))
        throw new Error(`Only web pages are led to, not ${href}.`)
      navigateDocument(window, url)
      return 'document'
    },
    refresh: () => navigator.refresh(),
    fetchFinalStatus: () => void navigator.refresh(true),
    traverse: navigator.traverse,
    answer,
    reloadForAssets() {
      // A navigation that waits for the code finds its own way out.
      if (store.get().target === null && !isDirty()) reloadOnce()
    },
    mend() {
      const { key } = navigator.current()
      // The same page breaks again and again: a document may fare better, once.
      if (mended.has(key)) return void (isDirty() || reloadOnce())
      mended.add(key)
      void navigator.refresh()
    },
    settled() {
      // The browser may be on its way to another entry already.
      if (store.get().target === null) navigator.adoptAddress(new URL(location.href))
    },
  }
}

/** Takes what was prefetched, unless another build has answered: the navigation asks again. */
function takerOf(ahead: PrefetchStarter, build: string | null) {
  return (url: URL) => {
    const prefetched = ahead.take(url)
    if (!prefetched) return null
    const isOurs = build === null || prefetched.build === null || prefetched.build === build
    return isOurs ? decodePrefetched(prefetched, url) : null
  }
}

async function assetsOf(
  payload: Payload,
  modules: ClientModules,
  signal: AbortSignal,
): Promise<void> {
  const gone = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  const there = Promise.all([modules.loaded(), loadStyles(document, payload.stylesheets ?? [])])
  await Promise.race([there, gone])
}

/**
 * Has a navigation go on at its target when the dev server reloads the document: it does when the
 * code of the new page brings a package that it has not bundled yet.
 */
export function listenForDevReloads(view: Window, { get }: NavigationStore): void {
  import.meta.hot?.on('vite:beforeFullReload', () => {
    const { target } = get()
    if (target) view.history.pushState(null, '', target)
  })
}

/** Decodes page data that was fetched ahead: it is whole. */
export async function decodePrefetched(
  { bytes, build }: Prefetched,
  url: URL,
): Promise<LoadedPage> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
  const payload = await createFromReadableStream<Payload>(stream)
  const whole = Promise.resolve()
  return { payload, url, status: 200, build, whole, byteCount: () => bytes.length, onBytes() {} }
}
