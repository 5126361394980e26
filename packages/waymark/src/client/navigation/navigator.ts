import type { Payload } from '../../shared/payload.ts'
import type { Arrival } from './arrival.ts'
import type { Blockers } from './blockers.ts'
import { createDeadline } from './deadline.ts'
import type { HistoryEntries } from './historyEntries.ts'
import type { RouterEvents } from './navigation.ts'
import {
  idle,
  type NavigationOutcome,
  type NavigationRequest,
  type NavigationStore,
} from './navigation.ts'
import { completePage, type Page } from './page.ts'
import type { PageSource } from './pageSource.ts'
import { markPending } from './pendingLink.ts'
import { type ScrollMemory, scrollToStart } from './scroll.ts'
import type { NavigationSettings } from './settings.ts'
import type { WayOut } from './wayOut.ts'

/** What the navigator is made of. */
export type NavigatorParts = {
  readonly settings: NavigationSettings
  readonly source: PageSource
  readonly history: HistoryEntries
  readonly scroll: ScrollMemory
  readonly arrival: Arrival
  readonly blockers: Blockers
  readonly events: RouterEvents
  readonly store: NavigationStore
  readonly wayOut: WayOut
  /** Puts a page on the screen. @returns once it is there */
  readonly show: (page: Page, signal: AbortSignal) => Promise<void>
  readonly now: () => number
}

/** Takes a tab from page to page. */
export type Navigator = {
  navigate(request: NavigationRequest): Promise<NavigationOutcome>
  /** The page that is on the screen. */
  current(): Page
}

/** Makes the navigator of a document. */
export function createNavigator(initial: Page, parts: NavigatorParts): Navigator {
  const { settings, source, history, scroll, events, store, wayOut } = parts
  let shown = initial
  let running: {
    readonly request: NavigationRequest
    end(outcome: NavigationOutcome): void
  } | null = null

  async function navigate(request: NavigationRequest): Promise<NavigationOutcome> {
    if (!(await parts.blockers.allow(request))) return 'canceled'
    running?.end('superseded')
    return new Promise((resolve) => start(request, resolve))
  }

  function start(request: NavigationRequest, resolve: (outcome: NavigationOutcome) => void): void {
    const { url, kind } = request
    const startedAtMs = parts.now()
    const controller = new AbortController()
    const unmark = markPending(request.link ?? null)
    const setState = (state: 'loading' | 'slow' | 'late' | 'failed') =>
      store.set({ state, target: url, cancel: () => end('canceled'), retry: () => void run() })
    const slow = setTimeout(() => {
      setState('slow')
      events.emit('slow', { url })
    }, settings.pendingAfterMs)
    const deadline = createDeadline({ ...settings, onLate: late })

    function end(outcome: NavigationOutcome): void {
      if (running?.end !== end) return
      running = null
      // A page that is shown may still be streaming.
      if (outcome !== 'committed') controller.abort()
      deadline.stop()
      clearTimeout(slow)
      unmark()
      wayOut.clear()
      store.set(idle)
      if (outcome === 'committed') {
        events.emit('commit', { url, kind, durationMs: parts.now() - startedAtMs })
      } else if (outcome !== 'document') events.emit('abort', { url })
      resolve(outcome)
    }
    function late(): void {
      setState('late')
      events.emit('timeout', { url })
      wayOut.offerLate(url, {
        wait: () => deadline.restart(),
        leave: () => end('document'),
        cancel: () => end('canceled'),
      })
    }
    function fail(error: unknown): void {
      deadline.stop()
      setState('failed')
      events.emit('error', { url, error })
      wayOut.offerFailed(url, controller.signal, {
        retry: () => void run(),
        leave: () => end('document'),
        cancel: () => end('canceled'),
      })
    }
    async function run(): Promise<void> {
      const { signal } = controller
      wayOut.hide()
      deadline.restart()
      setState('loading')
      try {
        const page = await source.load(request, shown, { signal, onProgress: deadline.progress })
        if (signal.aborted) return
        await arrive(request, page, signal)
        end('committed')
      } catch (error) {
        if (!signal.aborted) fail(error)
      }
    }

    running = { request, end }
    request.signal?.addEventListener('abort', () => end('canceled'), { once: true })
    events.emit('start', { url, kind })
    void run()
  }

  async function arrive(
    request: NavigationRequest,
    { payload, url, restored }: Awaited<ReturnType<PageSource['load']>>,
    signal: AbortSignal,
  ): Promise<void> {
    const { kind } = request
    const before = shown
    if (kind !== 'refresh') scroll.save(before.key)
    const draft = restored ?? draftOf(payload, before, request)
    await parts.show(draft, signal)
    if (signal.aborted) return
    const key = kind === 'push' || kind === 'replace' ? history.write(kind, url) : draft.key
    shown = { ...draft, key }
    source.keep(shown, before, kind)
    if (kind === 'traverse') scroll.restore(key) || scrollToStart(window, url.hash)
    else if (kind !== 'refresh' && request.scroll) scrollToStart(window, url.hash)
    const isOther = before.route.pathname !== shown.route.pathname
    if (kind !== 'refresh' && isOther) parts.arrival.announce()
  }

  function draftOf(payload: Payload, before: Page, request: NavigationRequest): Page {
    const key = request.kind === 'refresh' ? before.key : (request.key ?? '')
    return completePage(payload, before, { key, fetchedAtMs: parts.now(), from: before.from })
  }

  history.onAppWrite((url, key) => {
    shown = { ...shown, key, route: { ...shown.route, pathname: url.pathname, search: url.search } }
    void parts.show(shown, new AbortController().signal)
  })

  return { navigate, current: () => shown }
}
