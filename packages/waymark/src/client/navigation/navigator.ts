import type { NavigationOutcome } from '../../components/navigationStore.ts'
import type { Blockers } from './blockers.ts'
import { type CommitOptions, commitPage, type NavigationContext } from './commitPage.ts'
import type { NavigationRequest } from './navigation.ts'
import type { Page } from './page.ts'
import { scrollToStart } from './scroll.ts'
import { createNavigationTask, type NavigationTask, type NavigationTaskOptions } from './task.ts'

/** What a navigator works with. */
export type NavigatorOptions = NavigationTaskOptions &
  CommitOptions & { readonly blockers: Blockers }

/** Takes a tab from page to page. */
export type Navigator = {
  navigate(request: NavigationRequest): Promise<NavigationOutcome>
  /** Follows the browser, which went to another history entry. */
  traverse(): void
  /** Fetches the page on the screen again, unless a navigation is running that does. */
  refresh(wantsFinalStatus?: boolean): Promise<NavigationOutcome>
  /**
   * Gives the page the address in the browser: one that was rendered at build knows neither its
   * query nor, for a URL that no route matches, its path.
   */
  adoptAddress(url: URL): void
  /** The page on the screen. */
  current(): Page
  /** Resolves when the running navigation to another page ends; `null` without one. */
  leaving(): Promise<NavigationOutcome> | null
  /** Replaces the page on the screen by a later rendering of it. */
  rerender(page: Page): void
}

/** The options, and the navigation that is running. */
type Context = NavigatorOptions & { task: NavigationTask | null }

/** Creates the navigator of a document. */
export function createNavigator(options: NavigatorOptions): Navigator {
  const context: Context = { ...options, task: null }
  const { tab, history } = options
  history.onAppWrite((url, key) => move(context, url, key))
  return {
    navigate: (request) => navigate(context, request),
    traverse: () => traverse(context),
    refresh: (wantsFinalStatus) => refresh(context, wantsFinalStatus),
    adoptAddress(url) {
      const { page } = tab.state
      if (!isSamePage(url, page)) move(context, url, page.key)
    },
    current: () => tab.state.page,
    leaving: () => (context.task?.kind === 'refresh' ? null : (context.task?.ended ?? null)),
    rerender(page) {
      // A refresh in flight would overwrite this page with older data.
      if (context.task?.kind === 'refresh') context.task.end('superseded')
      tab.dispatch({ type: 'show', page })
    },
  }
}

/** Gives the page on the screen another address. */
function move({ tab, show }: Context, url: URL, key: string): void {
  tab.dispatch({ type: 'move', key, url })
  void show(tab.state.page, new AbortController().signal)
}

async function navigate(context: Context, request: NavigationRequest): Promise<NavigationOutcome> {
  const { tab, history, blockers } = context
  if (!request.answer && !(await blockers.allow(request))) {
    if (request.kind === 'traverse') history.undo()
    return 'canceled'
  }
  if (request.signal?.aborted) return 'canceled'
  if (!request.answer && context.task?.join(request)) return context.task.ended
  context.task?.end('superseded')
  if (!request.answer && isWithinPage(request, tab.state.page)) return moveWithin(context, request)
  const own: NavigationContext = {
    request,
    before: tab.state.page,
    hasShell: false,
    focused: null,
  }
  const task = createNavigationTask(request, context, {
    commit: (attempt) => commitPage(context, own, attempt, () => refreshAfterwards(context)),
    onEnd(outcome) {
      if (context.task === task) context.task = null
      if (outcome === 'canceled') undo(context, own)
    },
  })
  context.task = task
  task.attempt()
  return task.ended
}

/** Puts the browser back where it was before a canceled navigation. */
function undo(context: Context, { request, hasShell }: NavigationContext): void {
  if (hasShell) {
    window.history.back()
    return
  }
  if (request.kind === 'traverse') context.history.undo()
  // The navigation before this one has shown no more than its shell.
  if (context.tab.state.page.isShell) void refresh(context)
}

function moveWithin(
  { tab, scroll: memory, history }: Context,
  { kind, url, scroll }: NavigationRequest,
): NavigationOutcome {
  memory.save(tab.state.page.key)
  tab.dispatch({ type: 'move', key: history.write(kind === 'push' ? 'push' : 'replace', url) })
  if (scroll) scrollToStart(window, url.hash)
  return 'committed'
}

function traverse(context: Context): void {
  const { tab, history, scroll, task } = context
  const { page } = tab.state
  const isNew = history.isUnknown()
  const key = history.currentKey()
  const url = new URL(window.location.href)
  if (key !== page.key && !isSamePage(url, page)) {
    void navigate(context, { kind: 'traverse', url, scroll: true, key })
    return
  }
  if (task?.kind === 'traverse') task.end('superseded')
  if (key === page.key) return
  // Where the browser has created the entry, it has scrolled, too.
  if (!isNew) scroll.save(page.key)
  tab.dispatch({ type: 'move', key })
  history.settle()
  if (!isNew && !scroll.restore(key)) scrollToStart(window, url.hash)
}

async function refresh(context: Context, wantsFinalStatus = false): Promise<NavigationOutcome> {
  const { task, tab } = context
  const other = task?.kind === 'refresh' ? null : task
  if (other && (await other.ended) === 'committed') return 'committed'
  const { pathname, search } = tab.state.page.route
  const url = new URL(pathname + search + window.location.hash, window.location.href)
  return navigate(context, { kind: 'refresh', url, scroll: false, wantsFinalStatus })
}

/** Refreshes once the running navigation has committed. */
function refreshAfterwards(context: Context): void {
  void context.task?.ended.then((outcome) => {
    if (outcome === 'committed') void refresh(context)
  })
}

function isWithinPage({ kind, url }: NavigationRequest, page: Page): boolean {
  if (page.isShell) return false
  return (kind === 'push' || kind === 'replace') && url.hash !== '' && isSamePage(url, page)
}

function isSamePage({ pathname, search }: URL, { route }: Page): boolean {
  return pathname === route.pathname && search === route.search
}
