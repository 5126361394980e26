import { onRouter } from 'virtual:waymark/hooks/onRouter'
import { mayHaveActions, navigation } from 'virtual:waymark/navigation'
import { onNavigationStart } from 'virtual:waymark/startup'
import { pageFormAttribute } from '../components/linkAttributes.ts'
import type { NavigationStore } from '../components/navigationStore.ts'
import { isHydrated } from '../react/client/hydrated.ts'
import type { ScreenLocale } from '../screens/screenTexts.ts'
import { trace } from '../wire/trace.ts'
import { wholeBuildId } from '../wire/variantBuildId.ts'
import type { ActionsOptions } from './actions/callAction.ts'
import type { ServerCall } from './actions/calls.ts'
import { createMissingCode, type MissingCodeNotice } from './assets/missingCode.ts'
import { reloadOnce } from './assets/reload.ts'
import { loadStyles } from './assets/stylesheets.ts'
import { DocumentNeeded } from './navigation/fetchPage.ts'
import { saveDraft, trackDirtyForms } from './navigation/formDraft.ts'
import { hasDraft, isField, type PreHydrationInput } from './navigation/formFields.ts'
import { createSessionMark, createTab, type NavigationContext } from './navigation/navigation.ts'
import { createNavigationNotice } from './navigation/navigationNotice.ts'
import { createNavigator } from './navigation/navigator.ts'
import { createNoticeBoard, documentLocale } from './navigation/notice.ts'
import type { Page } from './navigation/page.ts'
import { createRouteAnnouncer, markScreenAsMain } from './navigation/routeAnnouncer.ts'
import { keepScroll } from './navigation/scroll.ts'
import type { RootStore } from './react/rootStore.ts'
import { isInTime, rerenderPage, showPage } from './react/showPage.ts'
import { createRetries, retry, retryPolicies } from './retry/retry.ts'
import type { HydratedDocument, Loader, RouterCore } from './runtime.ts'

export function createRouter(loader: Loader, hydrated: HydratedDocument): RouterCore {
  const { history, prefetch, fields } = loader
  const { rootStore, build, calls, events, store, blockers } = hydrated
  const { timeoutMs, keepMounted } = navigation
  const locale = documentLocale()
  const forms = trackDirtyForms(document, fields, calls.isSending)
  // A new document would discard typed text and the responses to running actions.
  const isDirty = () => forms.isDirty() || calls.isBusy()
  const tab = createTab(rootStore.latest.current as Page)
  const loadAssets = createAssetLoader(hydrated, isDirty)
  const missingCode = createMissingCode(document, missingCodeNotice(locale), isDirty)
  const navigator = createNavigator({
    tab,
    settings: navigation,
    history,
    scroll: keepScroll(window, history.settledKey),
    announce: createRouteAnnouncer(document),
    blockers,
    events,
    store,
    notice: createNavigationNotice(window, isDirty),
    prefetch,
    build,
    now: Date.now,
    hydrated: mayMark(rootStore),
    isDirty,
    saveDraft() {
      try {
        saveDraft(window, forms.changed())
      } catch {
        // Continue even if the browser's storage is blocked or full, because the notice warned that
        // text would be lost.
      }
    },
    loadAssets,
    lacksCode: missingCode.isMissing,
    session: createSessionMark(() => localStorage),
    show: (page, signal) =>
      showPage(rootStore, page, { state: tab.state, keepMounted, signal, isDirty }),
    setAddress: rootStore.setAddress,
    rerender: (page) => rerenderPage(rootStore, page, tab.state.previous, navigation),
  })
  restoreScrollOurselves(window)
  if (import.meta.env.DEV) listenForDevReloads(window, store)
  if (onNavigationStart) events.on('start', onNavigationStart)
  followCommits(loader, hydrated)
  const callServer = loadActions({
    view: window,
    board: createNoticeBoard(document, locale),
    locale,
    changed: forms.changed,
    pages: { navigator, prefetch, build, timeoutMs, loadAssets },
  })
  restoreInput(hydrated)
  if (onRouter) {
    const router = {
      ...navigator,
      build: wholeBuildId(build),
      calls,
      events,
      store,
      changed: forms.changed,
    }
    onRouter(router)
  }
  return {
    ...navigator,
    callServer,
    onMissing(missing) {
      // A running navigation waits for the missing code, too, and handles the failure itself.
      if (store.get().target !== null) return
      // If code is missing, reload, because the new document uses the code of the current build. A
      // timeout has other causes, so a reload wouldn't help.
      const isSilence = missing.error instanceof DOMException
      if (!isSilence && !isDirty() && reloadOnce()) return
      missingCode.add(missing)
    },
  }
}

/**
 * Loads the code for actions when the browser is idle, or sooner if the user starts to fill in a
 * form or calls an action. If it were loaded only when an action is called, a new deployment might
 * have removed it.
 */
function loadActions(options: ActionsOptions): (call: ServerCall) => Promise<unknown> {
  let callServer: ((call: ServerCall) => Promise<unknown>) | null = null
  // Don't wait for a call: creating the actions also starts to watch forms.
  const begin = (code: ActionsChunk) => (callServer ??= code.createActions(options))
  const preload = () => void loadActionsChunk().then(begin, () => {})
  const onFocus = ({ target }: FocusEvent) => {
    const form = target instanceof Element ? target.closest('form') : null
    if (!form || form.hasAttribute(pageFormAttribute)) return
    removeEventListener('focusin', onFocus)
    preload()
  }
  if (mayHaveActions) {
    addEventListener('focusin', onFocus)
    // Safari doesn't have `requestIdleCallback`.
    const whenIdle = window.requestIdleCallback ?? setTimeout
    whenIdle(preload)
  }
  return async (call) => (callServer ?? begin(await untilLoaded(options)))(call)
}

type ActionsChunk = typeof import('./actions/actionsChunk.ts')

const loadActionsChunk = (): Promise<ActionsChunk> => import('./actions/actionsChunk.ts')

function untilLoaded({ board, locale }: ActionsOptions): Promise<ActionsChunk> {
  const { missingActions: text, retry: label } = locale.texts.notices
  return retry(loadActionsChunk, {
    retries: createRetries(retryPolicies.actionsCode),
    onExhausted: () =>
      new Promise((resolve) => {
        const run = () => {
          board.hide()
          resolve(true)
        }
        board.show({ text, actions: [{ label, run }], onEscape: run })
      }),
  })
}

function followCommits({ prefetch, errors }: Loader, { events }: HydratedDocument): void {
  markScreenAsMain(document)
  events.on('commit', ({ kind, url }) => {
    if (kind !== 'refresh') prefetch.resetPage()
    errors.visited(url)
    markScreenAsMain(document)
  })
}

function missingCodeNotice(locale: ScreenLocale): MissingCodeNotice {
  const { missingCode: text, retry: label } = locale.texts.notices
  const { show, hide } = createNoticeBoard(document, locale)
  return { hide, show: (run) => show({ text, actions: [{ label, run }], onEscape: hide }) }
}

function createAssetLoader(
  { modules }: HydratedDocument,
  isDirty: () => boolean,
): NavigationContext['loadAssets'] {
  return async ({ stylesheets = [] }, signal, sinceMs = 0) => {
    const loaded = Promise.all([
      arrival('code', modules.loaded(sinceMs)),
      arrival('styles', loadStyles(document, stylesheets)),
      waitForHydration(modules.settledBefore(sinceMs), { signal, isDirty }),
    ])
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
    await Promise.race([loaded, aborted])
  }
}

function arrival(what: 'code' | 'styles', coming: Promise<unknown>): Promise<unknown> {
  if (!import.meta.env.WAYMARK_TRACED) return coming
  const startedAtMs = performance.now()
  return coming.then(() => {
    trace({ type: 'arrived', what, durationMs: performance.now() - startedAtMs })
  })
}

/** Maximum milliseconds that a page waits for the previous page's code. */
const takeoverMs = 500

/**
 * Waits for code that React needs to finish hydration, because React can't show a different page
 * before that.
 */
async function waitForHydration(
  settled: Promise<unknown>,
  patience: Parameters<typeof isInTime>[2],
): Promise<void> {
  if (!(await isInTime(settled, takeoverMs, patience)))
    throw new DocumentNeeded("The previous page's code didn't arrive.")
}

/** Makes the router restore scroll positions instead of the browser, except after a reload. */
function restoreScrollOurselves(view: Window): void {
  view.history.scrollRestoration = 'manual'
  view.addEventListener('pagehide', () => {
    view.history.scrollRestoration = 'auto'
  })
}

/** Restores text that was typed in the previous document, or in the current document before hydration. */
function restoreInput({ rootStore: { hydrated }, preHydrationInputs }: HydratedDocument): void {
  const typed = new Map<PreHydrationInput[0], PreHydrationInput[1]>()
  const restore = (inputs: readonly PreHydrationInput[], hasMore: boolean) => {
    // Ignore edited elements that aren't fields, such as elements with `contenteditable`.
    const missed = inputs.filter(([field, , then]) => isField(field) && !isHydrated(field, then))
    if (missed.length === 0 && !hasMore) return
    for (const [field, value] of missed) typed.set(field, value)
    const act = (code: ActionsChunk) => {
      for (const [field] of missed) void code.restoreField(field, typed)
      if (hasMore) void code.reportToggles(document)
      if (hasMore) void code.restoreDraft(window, hydrated)
    }
    loadActionsChunk().then(act, () => {})
  }
  preHydrationInputs.push = (...more) => {
    restore(more, false)
    return 0
  }
  restore(preHydrationInputs, hasDraft() || document.querySelector('details') !== null)
}

/**
 * Resolves once links may get the `data-pending` mark. In development, waits a little longer,
 * because React warns about unknown attributes even in parts that hydrate late.
 */
function mayMark({ hydrated }: RootStore): Promise<void> {
  if (!import.meta.env.DEV) return hydrated
  return hydrated.then(() => new Promise((resolve) => setTimeout(resolve, 300)))
}

/** Continues a running navigation after the dev server has reloaded the document. */
function listenForDevReloads(view: Window, { get }: NavigationStore): void {
  import.meta.hot?.on('vite:beforeFullReload', () => {
    const { target } = get()
    if (target) view.history.pushState(null, '', target)
  })
}
