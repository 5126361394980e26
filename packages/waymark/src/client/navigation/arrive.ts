import { leavePage, type NavigationContext, type ShownPage, type ShowOptions } from './course.ts'
import { commitShell } from './enterShell.ts'
import type { HistoryEntries } from './historyEntries.ts'
import type { NavigationRequest } from './navigation.ts'
import { completePage, type Page } from './page.ts'
import type { Shell, SourcedPage } from './pageSource.ts'
import { type ScrollMemory, scrollToStart } from './scroll.ts'

/** One attempt at a navigation. */
export type CommitOptions = {
  readonly course: NavigationContext
  readonly signal: AbortSignal
  readonly onProgress: () => void
  /** The page that came back is not what it was. */
  readonly onOutdated: () => void
}

/** Loads a page and puts it on the screen, into the history, and before the person. */
export async function commitPage(
  tab: ShownPage,
  options: ShowOptions,
  arriving: CommitOptions,
): Promise<void> {
  const { course, signal } = arriving
  const mounted = tab.shown
  const there = new AbortController()
  const over = AbortSignal.any([signal, there.signal])
  const onShell = (shell: Shell) => void commitShell(tab, options, { course, shell, signal: over })
  const sourced = await options.source.load(course.request, mounted, { ...arriving, onShell })
  if (signal.aborted) return
  there.abort()
  const { request } = course
  const isAnother = request.kind !== 'refresh' || request.answer !== undefined
  if (isAnother) leavePage(tab, options, course)
  const draft = draftOf(request, sourced, mountedSince(mounted, tab.shown), options.now())
  const showing = options.show(draft, signal)
  if (sourced.restored && !(await isInTime(showing))) {
    // What it has begun before it was left never ends, and holds it.
    options.source.forget(sourced.restored)
    return commitPage(tab, options, arriving)
  }
  await showing
  if (signal.aborted) return
  const left = tab.shown
  tab.shown = { ...draft, key: entryKey(request, sourced, draft, options.history) }
  options.history.settle()
  options.source.keep(tab.shown, left, request.kind)
  if (sourced.restored && options.source.isOutdated(sourced.restored)) arriving.onOutdated()
  if (!isAnother) return
  settleScroll(request, tab.shown, sourced.url, options.scroll)
  const isOther = course.before.route.pathname !== tab.shown.route.pathname
  if (isOther || request.answer) options.arrival.announce(course.focused)
}

/** What is mounted: the page that was there, with what it was renewed by while another loaded. */
function mountedSince(before: Page, now: Page): Page {
  if (now === before) return before
  return {
    ...now,
    segments: { ...before.segments, ...now.segments },
    instances: { ...before.instances, ...now.instances },
  }
}

/** A kept page is there: showing it waits for nothing. */
const restoreMs = 500

function isInTime(showing: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), restoreMs)
    void showing.then(() => resolve(true))
  })
}

function draftOf(
  { kind, key = '' }: NavigationRequest,
  { payload, restored }: SourcedPage,
  before: Page,
  nowMs: number,
): Page {
  if (restored) return restored
  const entry = { key: kind === 'refresh' ? before.key : key, fetchedAtMs: nowMs }
  return completePage(payload, before, entry)
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
