import { navigation } from 'virtual:waymark/navigation'
import type { NavigationStore } from '../components/navigationStore.ts'
import type { Payload } from '../shared/payload.ts'
import { hrefProblem } from '../shared/safeHref.ts'
import { loadActions } from './actions/load.ts'
import type { ClientModules } from './assets/modules.ts'
import { reloadOnce } from './assets/reload.ts'
import { loadStyles } from './assets/stylesheets.ts'
import { documentLocale } from './document/documentLocale.ts'
import { trackDirtyForms } from './navigation/dirtyForms.ts'
import { navigateDocument } from './navigation/documentNavigation.ts'
import { createFallbackNotice } from './navigation/fallbackNotice.ts'
import { hasDraft } from './navigation/formFields.ts'
import { createTab } from './navigation/navigation.ts'
import { createNavigator, type Navigator } from './navigation/navigator.ts'
import { createNoticeBoard } from './navigation/notice.ts'
import type { Page } from './navigation/page.ts'
import { createPageSource } from './navigation/pageSource.ts'
import { createRouteAnnouncer } from './navigation/routeAnnouncer.ts'
import { keepScroll } from './navigation/scroll.ts'
import type { RootStore } from './react/rootStore.ts'
import { createPageView } from './react/showPage.ts'
import type { BootRuntime, HydratedDocument, RouterCore } from './runtime.ts'

/** Creates the router of a document that React has taken over. */
export function createRouter(boot: BootRuntime, hydrated: HydratedDocument): RouterCore {
  const { history, prefetch, errors } = boot
  const { rootStore, modules, build, calls, events, store, blockers } = hydrated
  const { timeoutMs } = navigation
  const locale = documentLocale()
  const forms = trackDirtyForms(document, boot.fields, calls.isSending)
  // With the document, responses would be lost that its actions wait for.
  const isDirty = () => forms.isDirty() || calls.isBusy()
  const assetsOf = (payload: Payload, signal: AbortSignal) => loadAssets(payload, modules, signal)
  const onBroken = () => router.refetchBroken()
  const source = createPageSource({
    settings: navigation,
    now: Date.now,
    build,
    prefetch,
    assetsOf,
    onBroken,
  })
  const screen = createPageView(rootStore, source.previous, timeoutMs)
  const navigator = createNavigator({
    tab: createTab(rootStore.latest.current as Page),
    settings: navigation,
    source,
    history,
    scroll: keepScroll(window, history.shownKey),
    announcer: createRouteAnnouncer(document),
    blockers,
    events,
    store,
    notice: createFallbackNotice(window, isDirty),
    show: screen.show,
    hydrated: mayMark(rootStore),
    now: Date.now,
  })
  restoreScrollOurselves(window)
  if (import.meta.env.DEV) listenForDevReloads(window, store)
  events.on('commit', ({ kind, url }) => {
    if (kind !== 'refresh') prefetch.resetPage()
    errors.visited(url)
  })
  const callServer = loadActions({
    view: window,
    board: createNoticeBoard(document, locale),
    texts: locale.texts,
    changed: forms.changed,
    pages: { navigator, screen, source, prefetch, build, timeoutMs, assetsOf, onBroken },
  })
  restoreDraft(rootStore)
  const router = { ...navigator, ...documentRouter(navigator, store, isDirty), callServer }
  return router
}

/** What the router does about the document as a whole. */
function documentRouter(
  { navigate, refresh, current, adoptAddress }: Navigator,
  store: NavigationStore,
  isDirty: () => boolean,
): Omit<RouterCore, keyof Navigator | 'callServer'> {
  const refetched = new Set<string>()
  return {
    async go(kind, href, { scroll = true, signal } = {}) {
      const problem = hrefProblem(href)
      if (problem) throw problem
      const url = new URL(href, location.href)
      if (url.origin === location.origin) return navigate({ kind, url, scroll, signal })
      if (!/^https?:$/.test(url.protocol)) {
        throw new Error(`The router leads to web pages only, not to ${href}.`)
      }
      navigateDocument(window, url)
      return 'document'
    },
    fetchFinalStatus: () => void refresh(true),
    reloadForAssets() {
      // A navigation that waits for the code has a fallback of its own.
      if (store.get().target === null && !isDirty()) reloadOnce()
    },
    refetchBroken() {
      const { key } = current()
      // The same page breaks again and again: a document may fare better, once.
      if (refetched.has(key)) return void (isDirty() || reloadOnce())
      refetched.add(key)
      void refresh()
    },
    onHydrated() {
      // The browser may be on its way to another entry already.
      if (store.get().target === null) adoptAddress(new URL(location.href))
    },
  }
}

/** From now on the router scrolls; after a reload of the document, the browser does. */
function restoreScrollOurselves(view: Window): void {
  view.history.scrollRestoration = 'manual'
  view.addEventListener('pagehide', () => {
    view.history.scrollRestoration = 'auto'
  })
}

/** Restores what was typed in the document before this one. */
function restoreDraft({ hydrated }: RootStore): void {
  if (!hasDraft()) return
  // Without the code it stays in the storage, for the next document.
  import('./actions/actionsChunk.ts').then(
    (code) => code.restoreDraft(window, hydrated),
    () => {},
  )
}

/**
 * Resolves once links may be marked: development React complains about that in lazy parts of the
 * document, too, which are hydrated after it.
 */
function mayMark({ hydrated }: RootStore): Promise<void> {
  if (!import.meta.env.DEV) return hydrated
  return hydrated.then(() => new Promise((resolve) => setTimeout(resolve, 300)))
}

async function loadAssets(
  payload: Payload,
  modules: ClientModules,
  signal: AbortSignal,
): Promise<void> {
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  const loaded = Promise.all([modules.loaded(), loadStyles(document, payload.stylesheets ?? [])])
  await Promise.race([loaded, aborted])
}

/**
 * Has a navigation go on at its target when the dev server reloads the document, as it does when
 * the code of the new page imports a package that it has not bundled yet.
 */
export function listenForDevReloads(view: Window, { get }: NavigationStore): void {
  import.meta.hot?.on('vite:beforeFullReload', () => {
    const { target } = get()
    if (target) view.history.pushState(null, '', target)
  })
}
