import type { ReactNode } from 'react'
import { findSegment } from '../../components/segmentInstances.ts'
import type { Payload, PayloadSegment } from '../../shared/payload.ts'
import type { HistoryEntries } from './historyEntries.ts'
import type { NavigationRequest } from './navigation.ts'
import { completePage, type Page } from './page.ts'
import type { PageSource, Shell, SourcedPage } from './pageSource.ts'
import type { RouteAnnouncer } from './routeAnnouncer.ts'
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

const yes = () => true
const no = () => false

type Entering = {
  readonly course: NavigationContext
  readonly shell: Shell
  /** Aborts when the page itself is there. */
  readonly signal: AbortSignal
}

/** Shows a page's shell, while the page is on its way: a link that leads there is followed. */
export async function commitShell(
  tab: ShownPage,
  options: ShowOptions,
  entering: Entering,
): Promise<void> {
  const { course, signal } = entering
  const { payload, assets } = entering.shell
  const { request } = course
  if (request.kind !== 'push') return
  // The page itself tells what is wrong with them, and finds its way out.
  const areThere = await assets.then(yes, no)
  if (!areThere || signal.aborted) return
  const shell = shellPage(payload, tab.shown, { key: '', fetchedAtMs: options.now() })
  if (!shell) return
  leavePage(tab, options, course)
  const isShown = await options.show(shell, signal).then(yes, no)
  if (!isShown || signal.aborted) return
  const left = tab.shown
  tab.shown = { ...shell, key: options.history.write('push', request.url) }
  options.source.keep(tab.shown, left, 'push')
  const { hash } = request.url
  course.request = {
    ...request,
    kind: 'replace',
    isEntered: true,
    scroll: request.scroll && hash !== '',
  }
  if (request.scroll) scrollToStart(window, '')
}

/** What stands in for a segment that is still to come: it keeps a loading screen on. */
const pending = new Promise<never>(() => {})

/**
 * Makes a page of what was fetched ahead of one that is rendered for each request: its layouts,
 * with the loading screen in place of the page. What is mounted stays as it is.
 * @param mounted the page on the screen
 * @returns `null` when there is nothing new to show, or the browser does not hold all of it
 */
export function shellPage(
  payload: Payload,
  mounted: Page,
  entry: Pick<Page, 'key' | 'fetchedAtMs'>,
): Page | null {
  if (endOf(payload.tree).key in mounted.segments) return null
  const tree = withMounted(payload.tree, mounted.tree)
  const segments: Record<string, ReactNode> = { ...payload.segments, ...mounted.segments }
  for (const { key, slots } of segmentsOf(tree)) {
    if (key in segments) continue
    if (slots) return null
    segments[key] = pending
  }
  // Its title comes with the page.
  const { head } = mounted
  return { ...completePage({ ...payload, tree, segments, head }, mounted, entry), isShell: true }
}

function endOf({ key, slots }: PayloadSegment): { readonly key: string } {
  return slots?.children ? endOf(slots.children) : { key }
}

/** What a slot beside the page has mounted, it goes on showing. */
function withMounted(segment: PayloadSegment, mounted: PayloadSegment): PayloadSegment {
  const { key, slots } = segment
  if (!slots) return findSegment(mounted, key) ?? segment
  const entries = Object.entries(slots).map(([name, child]) => [name, withMounted(child, mounted)])
  return { key, slots: Object.fromEntries(entries) }
}

function segmentsOf(tree: PayloadSegment): PayloadSegment[] {
  return [tree, ...Object.values(tree.slots ?? {}).flatMap(segmentsOf)]
}

/** What a navigation is shown with. */
export type ShowOptions = {
  readonly source: PageSource
  readonly history: HistoryEntries
  readonly scroll: ScrollMemory
  readonly arrival: RouteAnnouncer
  /** Puts a page on the screen. @returns once it is there */
  readonly show: (page: Page, signal: AbortSignal) => Promise<void>
  readonly now: () => number
}

/** The page on the screen. */
export type ShownPage = { shown: Page }

/** A navigation on its way, over all of its attempts. */
export type NavigationContext = {
  /** As it was asked for; once a shell is shown, as a change of the entry that it has made. */
  request: NavigationRequest & { readonly isEntered?: boolean }
  /** The page that it has left. */
  readonly before: Page
  /** What had the focus when the page was left. */
  focused: Element | null
}

/** Notes where the person was on the page that is about to be replaced. */
export function leavePage(
  { shown }: ShownPage,
  { scroll, arrival }: ShowOptions,
  course: NavigationContext,
): void {
  if (course.request.isEntered) return
  scroll.save(shown.key)
  course.focused = arrival.focused()
}
