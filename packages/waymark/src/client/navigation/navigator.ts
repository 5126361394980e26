import type { NavigationOutcome } from '../../components/navigationStore.ts'
import type { Blockers } from './blockers.ts'
import {
  type CommitOptions,
  commitPage,
  type NavigationContext,
  type ShownPage,
  type ShowOptions,
} from './commitPage.ts'
import type { NavigationRequest } from './navigation.ts'
import type { Page } from './page.ts'
import { scrollToStart } from './scroll.ts'
import { type NavigationTask, type NavigationTaskOptions, startNavigationTask } from './task.ts'

/** What the navigator is made of. */
export type NavigatorOptions = NavigationTaskOptions & ShowOptions & { readonly blockers: Blockers }

/** Takes a tab from page to page. */
export type Navigator = {
  navigate(request: NavigationRequest): Promise<NavigationOutcome>
  /** Follows the browser, which went to another history entry. */
  traverse(): void
  /** Fetches the page on the screen again, unless a navigation is under way that does. */
  refresh(isPatient?: boolean): Promise<NavigationOutcome>
  /**
   * Gives the page the address in the browser: one that was rendered at build knows neither its
   * query nor, for a URL that no route answers, its path.
   */
  adoptAddress(url: URL): void
  /** The page that is on the screen. */
  current(): Page
  /** Resolves when the navigation to another page ends that is under way; `null` without one. */
  leaving(): Promise<NavigationOutcome> | null
  /** Takes a page for the one that is on the screen: the same, rendered anew. */
  renew(page: Page): void
}

/** What is on the screen, and on its way there. */
type Tab = ShownPage & { running: NavigationTask | null }

/** Makes the navigator of a document. */
export function createNavigator(initial: Page, options: NavigatorOptions): Navigator {
  const tab: Tab = { shown: initial, running: null }
  options.history.onAppWrite((url, key) => readdress(tab, options, url, key))
  return {
    navigate: (request) => navigate(tab, options, request),
    traverse: () => traverse(tab, options),
    refresh: (isPatient) => refresh(tab, options, isPatient),
    adoptAddress(url) {
      const { pathname, search } = tab.shown.route
      if (url.pathname !== pathname || url.search !== search) {
        readdress(tab, options, url, tab.shown.key)
      }
    },
    current: () => tab.shown,
    leaving: () => (tab.running?.kind === 'refresh' ? null : (tab.running?.ended ?? null)),
    renew(page) {
      // What it fetches is older.
      if (tab.running?.kind === 'refresh') tab.running.end('superseded')
      tab.shown = page
    },
  }
}

/** Gives the page on the screen another address. */
function readdress(
  tab: Tab,
  options: NavigatorOptions,
  { pathname, search }: URL,
  key: string,
): void {
  tab.shown = { ...tab.shown, key, route: { ...tab.shown.route, pathname, search } }
  void options.show(tab.shown, new AbortController().signal)
}

async function navigate(
  tab: Tab,
  options: NavigatorOptions,
  request: NavigationRequest,
): Promise<NavigationOutcome> {
  if (!request.answer && !(await options.blockers.allow(request))) {
    if (request.kind === 'traverse') options.history.undo()
    return 'canceled'
  }
  if (request.signal?.aborted) return 'canceled'
  if (!request.answer && tab.running?.join(request)) return tab.running.ended
  tab.running?.end('superseded')
  if (!request.answer && isWithin(request, tab.shown)) return moveWithin(tab, options, request)
  const course: NavigationContext = { request, before: tab.shown, focused: null }
  const onOutdated: CommitOptions['onOutdated'] = () => queueRefresh(tab, options)
  const run = startNavigationTask(request, options, {
    arrive: (signal, onProgress) =>
      commitPage(tab, options, { course, signal, onProgress, onOutdated }),
    onEnd(outcome) {
      if (tab.running === run) tab.running = null
      if (outcome === 'canceled') takeBack(tab, options, course)
    },
  })
  tab.running = run
  run.attempt()
  return run.ended
}

/** Puts the browser back where it was before a navigation that was given up. */
function takeBack(tab: Tab, options: NavigatorOptions, { request }: NavigationContext): void {
  if (request.isEntered) window.history.back()
  else {
    if (request.kind === 'traverse') options.history.undo()
    // The navigation before this one has shown no more than its shell.
    if (tab.shown.isShell) void refresh(tab, options)
  }
}

function moveWithin(
  tab: Tab,
  { scroll: memory, history }: NavigatorOptions,
  { kind, url, scroll }: NavigationRequest,
): NavigationOutcome {
  memory.save(tab.shown.key)
  tab.shown = { ...tab.shown, key: history.write(kind === 'push' ? 'push' : 'replace', url) }
  if (scroll) scrollToStart(window, url.hash)
  return 'committed'
}

function traverse(tab: Tab, options: NavigatorOptions): void {
  const { history, scroll } = options
  const isNew = history.isUnknown()
  const key = history.currentKey()
  const url = new URL(window.location.href)
  if (key !== tab.shown.key && !isSamePage(url, tab.shown)) {
    void navigate(tab, options, { kind: 'traverse', url, scroll: true, key })
    return
  }
  if (tab.running?.kind === 'traverse') tab.running.end('superseded')
  if (key === tab.shown.key) return
  // Where the browser has made the entry, it has scrolled, too.
  if (!isNew) scroll.save(tab.shown.key)
  tab.shown = { ...tab.shown, key }
  history.settle()
  if (!isNew && !scroll.restore(key)) scrollToStart(window, url.hash)
}

async function refresh(
  tab: Tab,
  options: NavigatorOptions,
  isPatient = false,
): Promise<NavigationOutcome> {
  const other = tab.running?.kind === 'refresh' ? null : tab.running
  if (other && (await other.ended) === 'committed') return 'committed'
  const { pathname, search } = tab.shown.route
  const url = new URL(pathname + search + window.location.hash, window.location.href)
  return navigate(tab, options, { kind: 'refresh', url, scroll: false, isPatient })
}

/** The run that shows the page now is over first. */
function queueRefresh(tab: Tab, options: NavigatorOptions): void {
  void tab.running?.ended.then((outcome) => {
    if (outcome === 'committed') void refresh(tab, options)
  })
}

function isWithin({ kind, url }: NavigationRequest, shown: Page): boolean {
  if (shown.isShell) return false
  return (kind === 'push' || kind === 'replace') && url.hash !== '' && isSamePage(url, shown)
}

function isSamePage({ pathname, search }: URL, { route }: Page): boolean {
  return pathname === route.pathname && search === route.search
}
