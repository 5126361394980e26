import type { NavigationOutcome } from '../../components/navigationStore.ts'
import type { Blocker } from '../../components/routerContext.ts'
import { hrefProblem } from '../../shared/html.ts'
import type { DataChange } from '../../wire/callHeaders.ts'
import type { Payload } from '../../wire/payload.ts'
import { canonicalUrl } from '../document/dataRequest.ts'
import { hasFragment } from './clickedLink.ts'
import { commitPage, commitShell } from './commitPage.ts'
import { navigateDocument, stopDocument } from './documentNavigation.ts'
import { fetchPage } from './fetchPage.ts'
import { isInApp } from './links.ts'
import { loadPage } from './loadPage.ts'
import {
  type Break,
  isOutdated,
  type NavigationContext,
  type NavigationRequest,
} from './navigation.ts'
import { type OtherContent, otherContents, type Page, withOtherContent } from './page.ts'
import { scrollToStart } from './scroll.ts'
import { createNavigationTask, type NavigationTask } from './task.ts'

export type Navigator = ReturnType<typeof createNavigator>

type Context = NavigationContext & { task: NavigationTask | null }

export function createNavigator(options: Omit<NavigationContext, 'onBroken'>) {
  const repair = (how: Break) => void refresh(context, { repairs: how })
  const context: Context = { ...options, task: null, onBroken: repair }
  const { tab, history, store } = options
  history.onAppWrite((url, key) => {
    tab.dispatch({ type: 'move', key, url })
    options.setAddress(tab.state.page)
  })
  return {
    navigate: (request: NavigationRequest): Promise<NavigationOutcome> =>
      navigate(context, request),
    /** Shows the page of the browser's current history entry. */
    traverse: (): void => traverse(context),
    /**
     * Fetches the current page again, unless a running navigation already fetches it.
     * @param screenPlace place in the page where a screen replaces a failed component
     */
    refresh: (screenPlace?: string): Promise<NavigationOutcome> =>
      refresh(context, { screenPlace }),
    /** Fetches the current page again if it arrived incomplete. */
    repair,
    /**
     * Fetches the current page again because its data has changed. Shows no notice on a failure.
     */
    renew: async (): Promise<boolean> =>
      (await refresh(context, { isQuiet: true })) === 'committed',
    current: (): Page => tab.state.page,
    /** Returns the previous pages that are still mounted, latest first. */
    previous: (): readonly Page[] => tab.state.previous,
    /**
     * Returns a promise for the outcome of the running navigation to a different page, or `null` if
     * no such navigation is running.
     */
    leaving: (): Promise<NavigationOutcome> | null =>
      isRefresh(context.task) ? null : (context.task?.ended ?? null),
    /**
     * Shows a new rendering of the current page.
     * @returns false if a different page is about to be shown
     */
    rerender(page: Page): boolean {
      if (!context.rerender(page)) return false
      // End a running refresh, because it would overwrite the new rendering with older data.
      if (isRefresh(context.task)) context.task?.end('superseded')
      tab.dispatch({ type: 'rerender', page })
      void refreshOtherContents(context)
      return true
    },
    /** Records that data has changed, so that earlier pages are fetched again before they are shown. */
    invalidate(change: DataChange): void {
      tab.dispatch({ type: 'invalidate', change })
      if (change === 'session') options.session.renew()
    },
    /** Returns the version and the time for a page whose data is requested now. */
    stamp: (): Pick<Page, 'version' | 'fetchedAtMs'> => ({
      version: tab.state.version,
      fetchedAtMs: options.now(),
    }),
    onHydrated(): void {
      const { page } = tab.state
      const url = new URL(location.href)
      // Keep the address while a navigation is running, because the browser may already be moving
      // to a different history entry.
      if (store.get().target !== null || isSamePage(url, page)) return
      // A page that was rendered at build time doesn't know its query, and the 404 page doesn't know
      // its path.
      tab.dispatch({ type: 'move', key: page.key, url })
      void options.show(tab.state.page, new AbortController().signal)
    },
  }
}

/** True if the URL is outside of the app, so that a document has to be loaded. @throws for unsafe URLs */
function leavesApp({ href, url }: NavigationRequest): boolean {
  if (href === undefined) return false
  const problem = hrefProblem(href)
  if (problem) throw problem
  if (isInApp(url)) return false
  if (/^https?:$/.test(url.protocol)) return true
  throw new Error(`The router can't navigate to ${href}. Pass a path or a URL with http or https.`)
}

async function navigate(
  context: Context,
  requested: NavigationRequest,
): Promise<NavigationOutcome> {
  if (leavesApp(requested)) {
    navigateDocument(window, requested.url)
    return 'document'
  }
  // Canonicalize the URL, because the link may differ from the app's URLs in its trailing slash.
  const request = { ...requested, url: canonicalUrl(requested.url) }
  const { tab, history, blockers, lacksCode } = context
  const { fromAction, kind } = request
  if (context.session.hasChanged()) tab.dispatch({ type: 'invalidate', change: 'session' })
  if (!fromAction && !(await isAllowed(blockers, request))) {
    if (request.kind === 'traverse') history.undo()
    return 'canceled'
  }
  if (request.signal?.aborted) return 'canceled'
  if (!fromAction && kind !== 'traverse' && kind !== 'refresh' && lacksCode()) {
    navigateDocument(window, request.url, kind)
    return 'document'
  }
  if (!fromAction && context.task?.join(request)) return context.task.ended
  context.task?.end('superseded')
  if (!fromAction && kind !== 'refresh') stopDocument(window)
  if (!fromAction && isWithinPage(request, tab.state.page)) return moveWithin(context, request)
  const { page: left } = tab.state
  const onEnd = (outcome: NavigationOutcome) => {
    if (context.task === task) context.task = null
    if (outcome === 'canceled') undo(context, task)
    // If the page couldn't be completed, mark it as outdated, so that a later visit fetches it
    // again.
    if (request.repairs && outcome !== 'committed')
      tab.dispatch({ type: 'invalidate', change: 'data' })
    if (outcome !== 'committed') return
    if (task.isOutdated) void refresh(context)
    // If the data of the previous page is outdated, so are its parts that stay.
    else if (kind !== 'refresh' && isOutdated(tab.state, left)) void refreshOtherContents(context)
  }
  const task = createNavigationTask(request, context, {
    loadPage,
    commitShell,
    commitPage,
    onEnd,
  })
  context.task = task
  task.attempt()
  return task.ended
}

async function isAllowed(
  blockers: ReadonlySet<Blocker>,
  { url, kind }: NavigationRequest,
): Promise<boolean> {
  if (kind === 'refresh') return true
  for (const block of blockers) {
    const goesOn = await new Promise<boolean>((decide) => block(url, decide))
    if (!goesOn) return false
  }
  return true
}

function undo(context: Context, { request, hasShell }: NavigationTask): void {
  if (hasShell) {
    window.history.back()
    return
  }
  if (request.kind === 'traverse') context.history.undo()
  // If the previous navigation has only shown a shell, load the shell's page.
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
    const over = history.background()
    void navigate(context, { kind: 'traverse', url, scroll: true, key, over })
    return
  }
  if (task?.request.kind === 'traverse') task.end('superseded')
  if (key === page.key) return
  // The browser has already scrolled for an entry that it has just created, so don't save the
  // position.
  if (!isNew) scroll.save(page.key)
  tab.dispatch({ type: 'move', key })
  history.settle()
  if (!isNew && !scroll.restore(key)) scrollToStart(window, url.hash)
}

async function refresh(
  context: Context,
  cause: Pick<NavigationRequest, 'screenPlace' | 'repairs' | 'isQuiet'> = {},
): Promise<NavigationOutcome> {
  const { task, tab } = context
  if (task && !isRefresh(task) && (await task.ended) === 'committed') return 'committed'
  const { page } = tab.state
  // If parts of other pages are shown, mark all pages as outdated. If refreshing one of them fails
  // now, it is fetched when it comes to the front.
  if (otherContents(page).length > 0) tab.dispatch({ type: 'invalidate', change: 'data' })
  const { pathname, search } = page.route
  const url = new URL(pathname + search + window.location.hash, window.location.href)
  const outcome = await navigate(context, { kind: 'refresh', url, scroll: false, ...cause })
  if (outcome === 'committed') void refreshOtherContents(context)
  return outcome
}

/**
 * Fetches the parts of other pages again: the page behind an intercepting page, and content that
 * stays in slots.
 */
async function refreshOtherContents(context: Context): Promise<void> {
  const { tab, settings } = context
  const { page } = tab.state
  const others = otherContents(page)
  if (others.length === 0) return
  const signal = AbortSignal.timeout(settings.hardCapMs)
  // Ignore errors: the other pages are marked as outdated, and are fetched again when they come to
  // the front.
  const loading = others.map((other) => loadOtherContent(context, other, signal).catch(() => null))
  const loaded = await Promise.all(loading)
  // Ignore the renderings if a different page has since been shown.
  if (tab.state.page !== page || loaded.every((rendered) => !rendered)) return
  const renewed = others.reduce((at, other, index) => {
    const rendered = loaded[index]
    return rendered ? withOtherContent(at, other, rendered) : at
  }, page)
  if (context.rerender(renewed)) tab.dispatch({ type: 'rerender', page: renewed })
}

/** Fetches a page of which a part is shown. @returns `null` if the page redirects now */
async function loadOtherContent(
  { build, loadAssets }: Context,
  { pathname, search, from }: OtherContent,
  signal: AbortSignal,
): Promise<Payload | null> {
  const url = new URL(pathname + search, window.location.href)
  const loaded = await fetchPage({ url, mounted: [], from, build, signal, onProgress() {} })
  await Promise.all([loadAssets(loaded.payload, signal), loaded.whole])
  return loaded.url.href === url.href ? loaded.payload : null
}

function isRefresh(task: NavigationTask | null): boolean {
  return task?.request.kind === 'refresh'
}

function isWithinPage({ kind, url }: NavigationRequest, page: Page): boolean {
  if (page.isShell) return false
  return (kind === 'push' || kind === 'replace') && hasFragment(url) && isSamePage(url, page)
}

function isSamePage({ pathname, search }: URL, { route }: Page): boolean {
  return pathname === route.pathname && search === route.search
}
