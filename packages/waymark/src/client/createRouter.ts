import { navigation } from 'virtual:waymark/navigation'
import type { ScreenLocale } from '../screens/locale.ts'
import { linkProblem } from '../shared/linkTarget.ts'
import type { Payload } from '../shared/payload.ts'
import { followCalls } from './actions/calls.ts'
import { loadActions } from './actions/loadActions.ts'
import type { BootParts } from './bootParts.ts'
import { keepScroll } from './keepScroll.ts'
import { documentLocale } from './locale.ts'
import type { ClientModules } from './modules.ts'
import { createArrival } from './navigation/arrival.ts'
import { createBlockers } from './navigation/blockers.ts'
import { watchForms } from './navigation/dirtyForms.ts'
import { createEmitter, type NavigationEvents } from './navigation/events.ts'
import {
  createNavigationStore,
  type NavigationStore,
  type RouterEvents,
} from './navigation/navigation.ts'
import { createNavigator, type Navigator } from './navigation/navigator.ts'
import { createNoticeBoard } from './navigation/notice.ts'
import { openDocument } from './navigation/openDocument.ts'
import type { Page } from './navigation/page.ts'
import { createPageSource } from './navigation/pageSource.ts'
import { createWayOut, type WayOut } from './navigation/wayOut.ts'
import { decodePrefetched } from './prefetch/decode.ts'
import type { Prefetcher } from './prefetch/prefetcher.ts'
import type { NavigateOptions, Router, RouterParts } from './router.ts'
import type { RunningRouter } from './running.ts'
import { createScreen, type RouterScreen } from './screen.ts'
import { loadStyles } from './styles.ts'

/** What the router of a document is made from. */
export type RouterOptions = BootParts & {
  readonly page: Page
  readonly modules: ClientModules
  /** Id of the document's build; `null` when it is not known. */
  readonly build: string | null
}

/** Makes the router of a document, with its parts joined. */
export function createRouter(options: RouterOptions): {
  parts: RouterParts
  screen: RouterScreen
  running: RunningRouter
} {
  const { page, history, shownKey, modules, prefetcher, build } = options
  const events = createEmitter<NavigationEvents>()
  const store = createNavigationStore()
  const blockers = createBlockers(window)
  const locale = documentLocale()
  const calls = followCalls((call) => answerCall(call))
  const forms = watchForms(document, calls.isSending)
  // With the document, the answers would be lost, too, that its actions wait for.
  const isDirty = () => forms.isDirty() || calls.isBusy()
  const assets = (payload: Payload, signal: AbortSignal) => assetsOf(payload, modules, signal)
  const source = createPageSource({
    settings: navigation,
    now: Date.now,
    build,
    takePrefetched: takerOf(prefetcher, build),
    assetsOf: assets,
    onBroken: () => onBroken(),
  })
  const screen = createScreen(page, source.kept)
  const navigator = createNavigator(page, {
    settings: navigation,
    source,
    history,
    scroll: keepScroll(window, shownKey),
    arrival: createArrival(document),
    blockers,
    events,
    store,
    wayOut: wayOutOf(isDirty, locale),
    show: screen.show,
    hydrated: markable(screen),
    now: Date.now,
  })
  events.on('commit', ({ kind }) => kind !== 'refresh' && prefetcher.turnPage())
  const { timeoutMs } = navigation
  const onBroken = () => running.mend()
  const answerCall = loadActions({
    view: window,
    board: createNoticeBoard(document, locale),
    notices: locale.texts.notices,
    ownTexts: locale.texts.actions,
    changed: forms.changed,
    silenceMs: timeoutMs,
    pages: { navigator, screen, source, prefetcher, timeoutMs, assetsOf: assets, onBroken },
  })
  const running = createRunning({ navigator, store, isDirty })
  const router = createApi(running, events, prefetcher)
  const settle = () => void navigator.refresh(true)
  return { parts: { router, navigation: store, blockers, settle }, screen, running }
}

/** What is mounted late within the document is hydrated after it: development React looks there, too. */
function markable({ hydrated }: RouterScreen): Promise<void> {
  if (!import.meta.env.DEV) return hydrated
  return hydrated.then(() => new Promise((resolve) => setTimeout(resolve, 300)))
}

type RunningParts = {
  readonly navigator: Navigator
  readonly store: NavigationStore
  readonly isDirty: () => boolean
}

function createRunning({ navigator, store, isDirty }: RunningParts): RunningRouter {
  const mended = new Set<string>()
  return {
    navigate: navigator.navigate,
    refresh: () => navigator.refresh(),
    traverse: navigator.traverse,
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
    shownKey: () => navigator.current().key,
  }
}

/** Takes what was prefetched, unless another build has answered: the navigation asks again. */
function takerOf(prefetcher: Prefetcher, build: string | null) {
  return (url: URL) => {
    const prefetched = prefetcher.take(url)
    if (!prefetched) return null
    const isOurs = build === null || prefetched.build === null || prefetched.build === build
    return isOurs ? decodePrefetched(prefetched, url) : null
  }
}

function createApi(running: RunningRouter, events: RouterEvents, prefetcher: Prefetcher): Router {
  const go = async (kind: 'push' | 'replace', href: string, options: NavigateOptions = {}) => {
    const { scroll = true, signal } = options
    const problem = linkProblem(href)
    if (problem) throw problem
    const url = new URL(href, location.href)
    if (url.origin === location.origin) return running.navigate({ kind, url, scroll, signal })
    if (!/^https?:$/.test(url.protocol)) throw new Error(`Only web pages are led to, not ${href}.`)
    openDocument(window, url)
    return 'document'
  }
  return {
    push: (href, options) => go(options?.replace ? 'replace' : 'push', href, options),
    replace: (href, options) => go('replace', href, options),
    refresh: running.refresh,
    back: () => window.history.back(),
    forward: () => window.history.forward(),
    prefetch: (href) => prefetcher.intend(new URL(href, location.href)),
    on: events.on,
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

/** A build's code that is gone is looked for by a new document, once: not in a loop. */
function reloadOnce(): void {
  const key = `waymark-reload:${import.meta.url}`
  try {
    if (sessionStorage.getItem(key)) return
    sessionStorage.setItem(key, location.href)
  } catch {
    // Without storage there is no telling a loop from a first try.
    return
  }
  location.reload()
}

function wayOutOf(isDirty: () => boolean, locale: ScreenLocale): WayOut {
  const board = createNoticeBoard(document, locale)
  return createWayOut({ view: window, board, isDirty, texts: locale.texts.notices })
}
