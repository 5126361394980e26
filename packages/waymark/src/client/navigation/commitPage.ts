import type { Shell, SourcedPage } from './loadPage.ts'
import {
  isOutdated,
  type Navigation,
  type NavigationContext,
  type NavigationRequest,
  type TabState,
} from './navigation.ts'
import {
  backgroundOf,
  completePage,
  mountedSince,
  type Page,
  shellPage,
  withoutPageInstance,
} from './page.ts'
import { scrollToStart } from './scroll.ts'

/** A loaded page, together with the page and the tab's version at the time when loading began. */
type Loaded = SourcedPage & Pick<Page, 'version'> & { readonly mounted: Page }

/**
 * Shows a page and updates history, scroll position and focus.
 * @returns false if a previous page can't be shown and has to be loaded
 */
export async function commitPage(
  context: NavigationContext,
  navigation: Navigation,
  { mounted, version, ...sourced }: Loaded,
  signal: AbortSignal,
): Promise<boolean> {
  const { tab, history, settings, announce, now } = context
  const { url, restored } = sourced
  const request = requestOf(navigation)
  const { kind } = request
  const wasRedirected = isRedirected(request, url)
  const isAnother = kind !== 'refresh' || request.fromAction !== undefined || wasRedirected
  if (isAnother) leavePage(context, navigation)
  const stamp = { version, fetchedAtMs: now() }
  const left = withLeft(tab.state, request, mountedSince(mounted, tab.state.page))
  const before = sourced.behind ? completePage(sourced.behind, left, { key: '', ...stamp }) : left
  const draft = draftOf(request, sourced, before, stamp)
  const showing = context.show(draft, signal)
  if (restored && !(await isInTime(showing))) {
    // Forget the page if it can't be shown. The user left it during a transition that never ends,
    // which blocks the page.
    tab.dispatch({ type: 'forget', page: restored })
    return false
  }
  await showing
  if (signal.aborted) return true
  const write = wasRedirected ? 'replace' : kind
  const isWritten = write === 'push' || write === 'replace'
  const key = isWritten ? history.write(write, url, backgroundOf(draft)) : draft.key
  const page = { ...draft, key }
  tab.dispatch({ type: 'commit', page, kind, keepPages: settings.keepPages })
  history.settle()
  navigation.isOutdated = restored !== null && isOutdated(tab.state, restored)
  if (!isAnother) return true
  const isTraversal = kind === 'traverse'
  const isRestored = isTraversal && context.scroll.restore(key, sourced.whole)
  const isFromStart = isTraversal || wasRedirected || (request.scroll && !sourced.payload.isOver)
  if (!isRestored && isFromStart) scrollToStart(window, url.hash)
  const { before: from, focused } = navigation
  const isOther = from.route.pathname !== page.route.pathname || request.fromAction !== undefined
  if (isOther || from.route.search !== page.route.search) {
    announce({ from, to: page, isOther, focused, link: request.link })
  }
  return true
}

/**
 * True if a page that already has a history entry now redirects, in which case the target replaces
 * the entry.
 */
function isRedirected({ kind, url }: NavigationRequest, { pathname, search }: URL): boolean {
  const hasEntry = kind === 'refresh' || kind === 'traverse'
  return hasEntry && (pathname !== url.pathname || search !== url.search)
}

/**
 * Returns the navigation's request. If its shell is already shown, the page replaces the shell's
 * history entry.
 */
export function requestOf({ request, hasShell }: Navigation): NavigationRequest {
  if (!hasShell) return request
  return { ...request, kind: 'replace', scroll: request.scroll && request.url.hash !== '' }
}

function leavePage({ tab, scroll }: NavigationContext, navigation: Navigation): void {
  if (navigation.hasShell) return
  scroll.save(tab.state.page.key)
  navigation.focused = document.activeElement
}

function draftOf(
  { kind, key = '', fromAction }: NavigationRequest,
  { payload, restored, url }: SourcedPage,
  before: Page,
  stamp: Pick<Page, 'version' | 'fetchedAtMs'>,
): Page {
  if (restored) return restored
  const { route } = before
  const isRedirect = fromAction !== undefined && kind !== 'refresh'
  const isSame = url.pathname === route.pathname
  // If an action redirects to the page on which it was called, mount the page again, so that the
  // form's state doesn't survive. The query may differ.
  const mounted = isRedirect && isSame ? withoutPageInstance(before) : before
  // A page that was rendered at build time doesn't know its query, so use the browser's.
  const isStatic = payload.route.search === '' && payload.route.pathname === url.pathname
  const nextRoute = isStatic ? { ...payload.route, search: url.search } : payload.route
  return completePage({ ...payload, route: nextRoute }, mounted, {
    key: kind === 'refresh' ? before.key : key,
    ...stamp,
  })
}

/** If a previous page had to be fetched again, gives it back its state and slots. */
function withLeft({ previous }: TabState, { kind, key }: NavigationRequest, before: Page): Page {
  if (kind !== 'traverse') return before
  const left = previous.find((each) => each.key === key)
  if (!left) return { ...before, tree: { key: '' } }
  const { tree, route, beside, staying } = left
  const segments = { ...left.segments, ...before.segments }
  return {
    ...before,
    tree,
    route,
    segments,
    ...(beside ? { beside } : {}),
    ...(staying ? { staying } : {}),
    instances: { ...left.instances, ...before.instances },
  }
}

/**
 * Milliseconds within which a previous page has to appear. The limit is short, because the page
 * needs no data or code.
 */
const restoreMs = 500
// Parts into which the time limit is split, so that one long task in a busy browser uses up only
// one part.
const restoreParts = 5

async function isInTime(showing: Promise<void>): Promise<boolean> {
  let isVisible = false
  const done = showing.then(() => {
    isVisible = true
  })
  for (let part = 0; part < restoreParts && !isVisible; part++) {
    await Promise.race([done, new Promise((end) => setTimeout(end, restoreMs / restoreParts))])
  }
  return isVisible
}

const yes = () => true
const no = () => false

/**
 * Shows a page's shell for a navigation that adds a history entry. The signal aborts once the page
 * itself has arrived.
 */
export async function commitShell(
  context: NavigationContext,
  navigation: Navigation,
  { payload, assets }: Shell,
  signal: AbortSignal,
): Promise<void> {
  const { tab, history, settings, now } = context
  const { kind, url, scroll } = requestOf(navigation)
  if (kind !== 'push') return
  // Ignore assets that fail to load: loading the page itself reports the error and offers a way
  // out.
  const areLoaded = await assets.then(yes, no)
  if (!areLoaded || signal.aborted) return
  const { page: mounted, version } = tab.state
  const shell = shellPage(payload, mounted, { key: '', version, fetchedAtMs: now() })
  if (!shell) return
  leavePage(context, navigation)
  const isVisible = await context.show(shell, signal).then(yes, no)
  if (!isVisible || signal.aborted) return
  const page = { ...shell, key: history.write('push', url, backgroundOf(shell)) }
  tab.dispatch({ type: 'commit', page, kind, keepPages: settings.keepPages })
  navigation.hasShell = true
  if (scroll && !payload.isOver) scrollToStart(window, '')
}
