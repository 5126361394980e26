import type { ReactNode } from 'react'
import { findSegment } from '../../components/segmentInstances.ts'
import type { Payload, PayloadSegment } from '../../shared/payload.ts'
import type { HistoryEntries } from './historyEntries.ts'
import type { NavigationRequest, Tab } from './navigation.ts'
import { completePage, type Page } from './page.ts'
import type { PageSource, Shell, SourcedPage } from './pageSource.ts'
import type { RouteAnnouncer } from './routeAnnouncer.ts'
import { type ScrollMemory, scrollToStart } from './scroll.ts'
import type { Attempt } from './task.ts'

/** What pages are loaded and shown with. */
export type CommitOptions = {
  readonly tab: Tab
  readonly source: PageSource
  readonly history: HistoryEntries
  readonly scroll: ScrollMemory
  readonly announcer: RouteAnnouncer
  /** Shows a page. @returns once it is on the screen */
  readonly show: (page: Page, signal: AbortSignal) => Promise<void>
  readonly now: () => number
}

/** A navigation over all of its attempts. */
export type NavigationContext = {
  readonly request: NavigationRequest
  /** The page that it leaves. */
  readonly before: Page
  /** Its shell is on the screen, with a history entry: the page itself replaces that. */
  hasShell: boolean
  /** What had the focus when the page was left. */
  focused: Element | null
}

/**
 * Loads a page, shows it, and brings history, scroll position and focus there.
 * @param onInvalidated the page that was restored is not what it was
 */
export async function commitPage(
  options: CommitOptions,
  context: NavigationContext,
  attempt: Attempt,
  onInvalidated: () => void,
): Promise<void> {
  const { tab, source, history, now } = options
  const { signal } = attempt
  const mounted = tab.state.page
  const arrived = new AbortController()
  const noShell = AbortSignal.any([signal, arrived.signal])
  const onShell = (shell: Shell) => void commitShell(options, context, shell, noShell)
  const sourced = await source.load(requestOf(context), mounted, { ...attempt, onShell })
  if (signal.aborted) return
  arrived.abort()
  const request = requestOf(context)
  const isAnother = request.kind !== 'refresh' || request.answer !== undefined
  if (isAnother) leavePage(options, context)
  const draft = draftOf(request, sourced, mountedSince(mounted, tab.state.page), now())
  const showing = options.show(draft, signal)
  if (sourced.restored && !(await isInTime(showing))) {
    // What it started before it was left never ends, and blocks it.
    source.forget(sourced.restored)
    return commitPage(options, context, attempt, onInvalidated)
  }
  await showing
  if (signal.aborted) return
  const { kind } = request
  const left = tab.state.page
  const key = kind === 'push' || kind === 'replace' ? history.write(kind, sourced.url) : draft.key
  const page = { ...draft, key }
  tab.dispatch({ type: 'show', page })
  history.settle()
  source.keep(page, left, kind)
  if (sourced.restored && source.isInvalidated(sourced.restored)) onInvalidated()
  if (!isAnother) return
  scrollTo(request, page, sourced.url, options.scroll)
  const isOther = context.before.route.pathname !== page.route.pathname
  if (isOther || request.answer) options.announcer.announce(context.focused)
}

/** The request; once the shell is shown, for the entry that it has created. */
function requestOf({ request, hasShell }: NavigationContext): NavigationRequest {
  if (!hasShell) return request
  return { ...request, kind: 'replace', scroll: request.scroll && request.url.hash !== '' }
}

/** Remembers scroll position and focus of the page that is about to be replaced. */
function leavePage({ tab, scroll, announcer }: CommitOptions, context: NavigationContext): void {
  if (context.hasShell) return
  scroll.save(tab.state.page.key)
  context.focused = announcer.focused()
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

/** The page that was mounted, with what an action has updated while another page loaded. */
function mountedSince(before: Page, now: Page): Page {
  if (now === before) return before
  return {
    ...now,
    segments: { ...before.segments, ...now.segments },
    instances: { ...before.instances, ...now.instances },
  }
}

/** A previous page is there already: showing it waits for nothing. */
const restoreMs = 500

function isInTime(showing: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), restoreMs)
    void showing.then(() => resolve(true))
  })
}

function scrollTo(
  { kind, scroll }: NavigationRequest,
  page: Page,
  url: URL,
  memory: ScrollMemory,
): void {
  if (kind === 'traverse' && memory.restore(page.key)) return
  if (kind === 'traverse' || scroll) scrollToStart(window, url.hash)
}

const yes = () => true
const no = () => false

/**
 * Shows a page's shell while the page is on its way, for a push only.
 * @param signal aborts when the page itself has arrived
 */
async function commitShell(
  options: CommitOptions,
  context: NavigationContext,
  { payload, assets }: Shell,
  signal: AbortSignal,
): Promise<void> {
  const { tab, history, source, now } = options
  const { kind, url, scroll } = requestOf(context)
  if (kind !== 'push') return
  // When they fail, the page itself reports it, and offers a fallback.
  const areLoaded = await assets.then(yes, no)
  if (!areLoaded || signal.aborted) return
  const shell = shellPage(payload, tab.state.page, { key: '', fetchedAtMs: now() })
  if (!shell) return
  leavePage(options, context)
  const isShown = await options.show(shell, signal).then(yes, no)
  if (!isShown || signal.aborted) return
  const left = tab.state.page
  const page = { ...shell, key: history.write('push', url) }
  tab.dispatch({ type: 'show', page })
  source.keep(page, left, 'push')
  context.hasShell = true
  if (scroll) scrollToStart(window, '')
}

/** In place of a segment that is still to come: it keeps the loading screen on. */
const pending = new Promise<never>(() => {})

/**
 * Builds a page of the prefetched shell of one that is rendered for each request: its layouts,
 * with the loading screen in place of the page. What is mounted stays as it is.
 * @param mounted the page on the screen
 * @returns `null` when there is nothing new to show, or a layout is missing
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
