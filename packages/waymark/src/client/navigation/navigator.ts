import type { Arrival } from './arrival.ts'
import type { Blockers } from './blockers.ts'
import type { HistoryEntries } from './historyEntries.ts'
import type { NavigationOutcome, NavigationRequest } from './navigation.ts'
import { completePage, type Page } from './page.ts'
import type { PageSource, SourcedPage } from './pageSource.ts'
import { type Run, type RunParts, startRun } from './run.ts'
import { type ScrollMemory, scrollToStart } from './scroll.ts'

/** What the navigator is made of. */
export type NavigatorParts = RunParts & {
  readonly source: PageSource
  readonly history: HistoryEntries
  readonly scroll: ScrollMemory
  readonly arrival: Arrival
  readonly blockers: Blockers
  /** Puts a page on the screen. @returns once it is there */
  readonly show: (page: Page, signal: AbortSignal) => Promise<void>
}

/** Takes a tab from page to page. */
export type Navigator = {
  navigate(request: NavigationRequest): Promise<NavigationOutcome>
  /** Follows the browser, which went to another history entry. */
  traverse(): void
  /** Fetches the page on the screen again, unless a navigation is under way that does. */
  refresh(isPatient?: boolean): Promise<NavigationOutcome>
  /** The page that is on the screen. */
  current(): Page
}

/** Makes the navigator of a document. */
export function createNavigator(initial: Page, parts: NavigatorParts): Navigator {
  const { history, scroll } = parts
  let shown = initial
  let running: Run | null = null

  async function navigate(request: NavigationRequest): Promise<NavigationOutcome> {
    if (!(await parts.blockers.allow(request))) {
      if (request.kind === 'traverse') history.undo()
      return 'canceled'
    }
    running?.end('superseded')
    if (isWithin(request, shown)) return moveWithin(request)
    running = startRun(request, parts, {
      async arrive(signal, onProgress) {
        const sourced = await parts.source.load(request, shown, { signal, onProgress })
        if (!signal.aborted) await arrive(request, sourced, signal)
      },
      onEnd(run, outcome) {
        if (running === run) running = null
        if (request.kind === 'traverse' && outcome === 'canceled') history.undo()
      },
    })
    running.attempt()
    return running.ended
  }

  function moveWithin({ kind, url, scroll: mayScroll }: NavigationRequest): NavigationOutcome {
    scroll.save(shown.key)
    shown = { ...shown, key: history.write(kind === 'push' ? 'push' : 'replace', url) }
    if (mayScroll) scrollToStart(window, url.hash)
    return 'committed'
  }

  function traverse(): void {
    const isNew = history.isUnknown()
    const key = history.currentKey()
    const url = new URL(window.location.href)
    if (key === shown.key || isSamePage(url, shown)) {
      if (running?.kind === 'traverse') running.end('superseded')
      if (key === shown.key) return
      // Where the browser made the entry, it has scrolled, too.
      if (!isNew) scroll.save(shown.key)
      shown = { ...shown, key }
      history.settle()
      if (!isNew && !scroll.restore(key)) scrollToStart(window, url.hash)
      return
    }
    void navigate({ kind: 'traverse', url, scroll: true, key })
  }

  async function refresh(isPatient = false): Promise<NavigationOutcome> {
    const other = running !== null && running.kind !== 'refresh' ? running : null
    if (other && (await other.ended) === 'committed') return 'committed'
    const { pathname, search } = shown.route
    const url = new URL(pathname + search + window.location.hash, window.location.href)
    return navigate({ kind: 'refresh', url, scroll: false, isPatient })
  }

  async function arrive(
    request: NavigationRequest,
    sourced: SourcedPage,
    signal: AbortSignal,
  ): Promise<void> {
    const before = shown
    const isRefresh = request.kind === 'refresh'
    if (!isRefresh) scroll.save(before.key)
    const focused = parts.arrival.focused()
    const draft = draftOf(request, sourced, before, parts.now())
    await parts.show(draft, signal)
    if (signal.aborted) return
    shown = { ...draft, key: entryKey(request, sourced, draft, history) }
    history.settle()
    parts.source.keep(shown, before, request.kind)
    if (isRefresh) return
    settleScroll(request, shown, sourced.url, scroll)
    if (before.route.pathname !== shown.route.pathname) parts.arrival.announce(focused)
  }

  history.onAppWrite((url, key) => {
    shown = { ...shown, key, route: { ...shown.route, pathname: url.pathname, search: url.search } }
    void parts.show(shown, new AbortController().signal)
  })

  return { navigate, traverse, refresh, current: () => shown }
}

function isWithin({ kind, url }: NavigationRequest, shown: Page): boolean {
  return (kind === 'push' || kind === 'replace') && url.hash !== '' && isSamePage(url, shown)
}

function isSamePage({ pathname, search }: URL, { route }: Page): boolean {
  return pathname === route.pathname && search === route.search
}

function draftOf(
  { kind, key = '' }: NavigationRequest,
  { payload, restored }: SourcedPage,
  before: Page,
  nowMs: number,
): Page {
  if (restored) return restored
  const entry = { key: kind === 'refresh' ? before.key : key, fetchedAtMs: nowMs }
  return completePage(payload, before, { ...entry, from: before.from })
}

function entryKey(
  { kind }: NavigationRequest,
  { url }: SourcedPage,
  draft: Page,
  history: HistoryEntries,
): string {
  return kind === 'push' || kind === 'replace' ? history.write(kind, url) : draft.key
}

function settleScroll(
  { kind, scroll }: NavigationRequest,
  shown: Page,
  url: URL,
  memory: ScrollMemory,
): void {
  if (kind === 'traverse' && memory.restore(shown.key)) return
  if (kind === 'traverse' || scroll) scrollToStart(window, url.hash)
}
