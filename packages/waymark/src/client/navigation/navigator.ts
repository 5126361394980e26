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
  /** The page that is on the screen. */
  current(): Page
}

/** Makes the navigator of a document. */
export function createNavigator(initial: Page, parts: NavigatorParts): Navigator {
  let shown = initial
  let running: Run | null = null

  async function navigate(request: NavigationRequest): Promise<NavigationOutcome> {
    if (!(await parts.blockers.allow(request))) return 'canceled'
    running?.end('superseded')
    return new Promise((resolve) => {
      running = startRun(request, parts, {
        async arrive(signal, onProgress) {
          const sourced = await parts.source.load(request, shown, { signal, onProgress })
          if (!signal.aborted) await arrive(request, sourced, signal)
        },
        onEnd(run, outcome) {
          if (running === run) running = null
          resolve(outcome)
        },
      })
      running.attempt()
    })
  }

  async function arrive(
    request: NavigationRequest,
    sourced: SourcedPage,
    signal: AbortSignal,
  ): Promise<void> {
    const before = shown
    const isRefresh = request.kind === 'refresh'
    if (!isRefresh) parts.scroll.save(before.key)
    const draft = draftOf(request, sourced, before, parts.now())
    await parts.show(draft, signal)
    if (signal.aborted) return
    shown = { ...draft, key: entryKey(request, sourced, draft, parts.history) }
    parts.source.keep(shown, before, request.kind)
    if (isRefresh) return
    settleScroll(request, shown, sourced.url, parts.scroll)
    if (before.route.pathname !== shown.route.pathname) parts.arrival.announce()
  }

  parts.history.onAppWrite((url, key) => {
    shown = { ...shown, key, route: { ...shown.route, pathname: url.pathname, search: url.search } }
    void parts.show(shown, new AbortController().signal)
  })

  return { navigate, current: () => shown }
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
