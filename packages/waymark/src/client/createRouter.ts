import type { Payload } from '../shared/payload.ts'
import type { ClientModules } from './modules.ts'
import { createArrival } from './navigation/arrival.ts'
import { createBlockers } from './navigation/blockers.ts'
import { createEmitter, type NavigationEvents } from './navigation/events.ts'
import type { HistoryEntries } from './navigation/historyEntries.ts'
import { createNavigationStore, type RouterEvents } from './navigation/navigation.ts'
import { createNavigator } from './navigation/navigator.ts'
import { createNoticeBoard } from './navigation/notice.ts'
import type { Page } from './navigation/page.ts'
import { createPageSource } from './navigation/pageSource.ts'
import { createScrollMemory } from './navigation/scroll.ts'
import { defaultSettings } from './navigation/settings.ts'
import { createWayOut } from './navigation/wayOut.ts'
import { decodePrefetched } from './prefetch/decode.ts'
import type { Prefetcher } from './prefetch/prefetcher.ts'
import type { NavigateOptions, Router, RouterParts } from './router.ts'
import type { RunningRouter } from './running.ts'
import { createScreen, type RouterScreen } from './screen.ts'
import { loadStyles } from './styles.ts'

/** What the router of a document is made from. */
export type RouterOptions = {
  readonly page: Page
  readonly history: HistoryEntries
  readonly modules: ClientModules
  readonly prefetcher: Prefetcher
}

/** Makes the router of a document, with its parts joined. */
export function createRouter({ page, history, modules, prefetcher }: RouterOptions): {
  parts: RouterParts
  screen: RouterScreen
  running: RunningRouter
} {
  const events = createEmitter<NavigationEvents>()
  const store = createNavigationStore()
  const blockers = createBlockers(window)
  const source = createPageSource({
    settings: defaultSettings,
    now: Date.now,
    takePrefetched(url) {
      const prefetched = prefetcher.take(url)
      return prefetched && decodePrefetched(prefetched, url)
    },
    assetsOf: (payload, signal) => assetsOf(payload, modules, signal),
    onBroken: () => void running.refresh(),
  })
  const screen = createScreen(page, source.kept)
  const navigator = createNavigator(page, {
    settings: defaultSettings,
    source,
    history,
    scroll: createScrollMemory(window),
    arrival: createArrival(document),
    blockers,
    events,
    store,
    wayOut: createWayOut(window, createNoticeBoard(document)),
    show: screen.show,
    now: Date.now,
  })
  const refresh = (isPatient = false) =>
    navigator.navigate({ kind: 'refresh', url: here(), scroll: false, isPatient })
  const running: RunningRouter = {
    navigate: navigator.navigate,
    refresh: () => refresh(),
    traverse() {
      const key = history.currentKey()
      if (key !== navigator.current().key) {
        void navigator.navigate({ kind: 'traverse', url: here(), scroll: true, key })
      }
    },
    reloadForAssets: () => reloadOnce(store.get().target ?? here()),
  }
  const router = createApi(running, events, prefetcher)
  const parts = { router, navigation: store, blockers, settle: () => void refresh(true) }
  return { parts, screen, running }
}

function here(): URL {
  return new URL(location.href)
}

function createApi(running: RunningRouter, events: RouterEvents, prefetcher: Prefetcher): Router {
  const go = (kind: 'push' | 'replace', href: string, options: NavigateOptions = {}) => {
    const { scroll = true, signal } = options
    return running.navigate({ kind, url: new URL(href, location.href), scroll, signal })
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
function reloadOnce(url: URL): void {
  const key = `waymark-reload:${import.meta.url}`
  try {
    if (sessionStorage.getItem(key)) return
    sessionStorage.setItem(key, url.href)
  } catch {
    // Without storage there is no telling a loop from a first try.
    return
  }
  location.assign(url)
}
