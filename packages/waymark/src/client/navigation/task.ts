import {
  idle,
  type NavigationOutcome,
  type NavigationState,
  type NavigationStore,
} from '../../components/navigationStore.ts'
import type { NavigationSettings } from '../../shared/settings.ts'
import { mayReload } from '../assets/reload.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import { navigateDocument } from './documentNavigation.ts'
import type { FallbackNotice } from './fallbackNotice.ts'
import type { NavigationRequest, RouterEvents } from './navigation.ts'
import { DocumentNeeded, OtherBuild } from './navigationErrors.ts'
import { markPending } from './pendingLink.ts'

/** What a running navigation tells, and whom. */
export type NavigationTaskOptions = {
  readonly settings: NavigationSettings
  readonly events: RouterEvents
  readonly store: NavigationStore
  readonly wayOut: FallbackNotice
  readonly now: () => number
  /** Resolves once React has taken over the document. */
  readonly hydrated: Promise<void>
}

/** A navigation that is running. */
export type NavigationTask = {
  readonly kind: NavigationRequest['kind']
  /** Resolves with what became of it, when it has ended. */
  readonly ended: Promise<NavigationOutcome>
  /** Tries it, or tries it again. */
  attempt(): void
  end(outcome: NavigationOutcome): void
  /**
   * Takes a request for the same into this run, which is tried again if it has failed.
   * @returns false when it is for something else
   */
  join(request: NavigationRequest): boolean
}

/** How a navigation loads and shows its page. */
export type Arrive = (signal: AbortSignal, onProgress: () => void) => Promise<void>

type Running = {
  readonly request: NavigationRequest
  readonly options: NavigationTaskOptions
  readonly startedAtMs: number
  /** Of the attempt that is being made: another one ends it. */
  trying: AbortController
  /** Its deadline has passed, and nobody has chosen to wait, or to leave for the document. */
  isLate: boolean
  readonly deadline: Deadline
  /** Until the attempt shows that it takes its time. */
  slow?: ReturnType<typeof setTimeout>
  /** Ends what the run has begun beside its attempts. */
  readonly release: () => void
  readonly run: NavigationTask
}

/**
 * Starts a navigation.
 * @param arrive loads the page and puts it on the screen
 * @param onEnd called once
 */
export function startNavigationTask(
  request: NavigationRequest,
  options: NavigationTaskOptions,
  { arrive, onEnd }: { arrive: Arrive; onEnd: (outcome: NavigationOutcome) => void },
): NavigationTask {
  let hasEnded = false
  let settle: (outcome: NavigationOutcome) => void = () => {}
  const run: NavigationTask = {
    kind: request.kind,
    ended: new Promise((resolve) => {
      settle = resolve
    }),
    attempt: () => void attempt(running, arrive),
    join({ kind, url }) {
      const isSame = (kind === 'push' || kind === 'replace') && kind === request.kind
      if (!isSame || url.href !== request.url.href) return false
      if (options.store.get().state === 'failed') run.attempt()
      return true
    },
    end(outcome) {
      if (hasEnded) return
      hasEnded = true
      finish(running, outcome)
      onEnd(outcome)
      const isTimeOut = running.isLate && (outcome === 'canceled' || outcome === 'document')
      settle(isTimeOut ? 'timed-out' : outcome)
    },
  }
  const deadline = createDeadline({ ...options.settings, onLate: () => offerWayOut(running) })
  const release = follow(request, run, options)
  const own = { startedAtMs: options.now(), trying: new AbortController(), isLate: false }
  const running: Running = { request, options, ...own, deadline, release, run }
  options.events.emit('start', { url: request.url, kind: request.kind })
  return run
}

/** Marks the link of a request, and listens to its signal. @returns ends both */
function follow(
  { link, signal }: NavigationRequest,
  run: NavigationTask,
  { hydrated }: NavigationTaskOptions,
): () => void {
  const unmark = markPending(link ?? null, hydrated)
  const cancel = () => run.end('canceled')
  signal?.addEventListener('abort', cancel)
  return () => {
    unmark()
    signal?.removeEventListener('abort', cancel)
  }
}

async function attempt(running: Running, arrive: Arrive): Promise<void> {
  const { deadline, run } = running
  running.trying.abort()
  running.trying = new AbortController()
  const { signal } = running.trying
  running.isLate = false
  watch(running)
  tell(running, 'loading')
  try {
    await arrive(signal, deadline.progress)
    if (!signal.aborted) run.end('committed')
  } catch (error) {
    if (signal.aborted) return
    // The server has said that there is one: nothing to look for, and nothing to tell.
    if (error instanceof DocumentNeeded) openOwn(running)
    else if (error instanceof OtherBuild) changeBuild(running, error)
    else offerRetry(running, error)
  }
}

/** Counts the time of an attempt. */
function watch(running: Running): void {
  const { request, options, deadline } = running
  clearTimeout(running.slow)
  running.slow = setTimeout(() => {
    tell(running, 'slow')
    options.events.emit('slow', { url: request.url })
  }, options.settings.pendingAfterMs)
  deadline.restart()
}

function unwatch({ slow, deadline }: Running): void {
  clearTimeout(slow)
  deadline.stop()
}

function tell({ request, options, run }: Running, state: NavigationState['state']): void {
  const cancel = () => run.end('canceled')
  options.store.set({ state, target: request.url, cancel, retry: run.attempt })
}

function offerWayOut(running: Running): void {
  const { request, options, run, deadline } = running
  running.isLate = true
  tell(running, 'late')
  options.events.emit('timeout', { url: request.url })
  const chosen = (act: () => void) => () => {
    running.isLate = false
    act()
  }
  options.wayOut.offerLate({
    wait: chosen(deadline.restart),
    leave: chosen(() => leave(running)),
    cancel: () => run.end('canceled'),
    giveUp: () => offerRetry(running, new Error(`${request.url.pathname} did not arrive.`)),
  })
}

function leave({ run, request }: Pick<Running, 'run' | 'request'>): void {
  run.end('document')
  navigateDocument(window, request.url, request.kind)
}

/** The URL has no more than a document. */
function openOwn(running: Running): void {
  const { request, run } = running
  if (mayLeave(request, request.url.href)) leave(running)
  else run.end('failed')
}

/** Another build answers: only a document can go on with it, and takes the place of this one. */
function changeBuild(running: Running, { build }: OtherBuild): void {
  const { request, options, run } = running
  unwatch(running)
  if (mayLeave(request, build)) {
    options.wayOut.offerDocument({
      leave: () => leave(running),
      cancel: () => run.end('canceled'),
    })
  } else run.end('failed')
}

/** Nobody has asked for a refresh by a click, and it may be one of many. */
function mayLeave({ kind }: NavigationRequest, reason: string): boolean {
  return kind !== 'refresh' || mayReload(reason)
}

function offerRetry(running: Running, error: unknown): void {
  const { request, options, run } = running
  unwatch(running)
  tell(running, 'failed')
  options.events.emit('error', { url: request.url, error })
  options.wayOut.offerFailed(request.url, {
    retry: run.attempt,
    leave: () => leave(running),
    cancel: () => run.end('canceled'),
  })
}

function finish(running: Running, outcome: NavigationOutcome): void {
  const { request, options, startedAtMs, trying, release } = running
  const { url, kind } = request
  // A page that is shown may still be streaming.
  if (outcome !== 'committed') trying.abort()
  unwatch(running)
  release()
  options.wayOut.clear()
  options.store.set(idle)
  if (outcome === 'committed') {
    options.events.emit('commit', { url, kind, durationMs: options.now() - startedAtMs })
  } else if (outcome !== 'document') options.events.emit('abort', { url })
}
