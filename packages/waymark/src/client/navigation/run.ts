import type { NavigationSettings } from '../../shared/navigationSettings.ts'
import { mayReload } from '../mayReload.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import { DocumentNeeded } from './loadPage.ts'
import {
  idle,
  type NavigationOutcome,
  type NavigationRequest,
  type NavigationState,
  type NavigationStore,
  type RouterEvents,
} from './navigation.ts'
import { openDocument } from './openDocument.ts'
import { OtherBuild } from './otherBuild.ts'
import { markPending } from './pendingLink.ts'
import type { WayOut } from './wayOut.ts'

/** What a running navigation tells, and whom. */
export type RunParts = {
  readonly settings: NavigationSettings
  readonly events: RouterEvents
  readonly store: NavigationStore
  readonly wayOut: WayOut
  readonly now: () => number
  /** Resolves once React has taken over the document. */
  readonly hydrated: Promise<void>
}

/** A navigation that is running. */
export type Run = {
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
  readonly parts: RunParts
  readonly startedAtMs: number
  /** Of the attempt that is being made: another one ends it. */
  trying: AbortController
  /** Its deadline has passed, and nobody has chosen to wait, or to leave for the document. */
  isLate: boolean
  readonly deadline: Deadline
  /** Ends what the run has begun: timers, marks. */
  readonly release: () => void
  readonly run: Run
}

/**
 * Starts a navigation.
 * @param arrive loads the page and puts it on the screen
 * @param onEnd called once
 */
export function startRun(
  request: NavigationRequest,
  parts: RunParts,
  { arrive, onEnd }: { arrive: Arrive; onEnd: (outcome: NavigationOutcome) => void },
): Run {
  const { events, settings } = parts
  let hasEnded = false
  let settle: (outcome: NavigationOutcome) => void = () => {}
  const run: Run = {
    kind: request.kind,
    ended: new Promise((resolve) => {
      settle = resolve
    }),
    attempt: () => void attempt(running, arrive),
    join({ kind, url }) {
      const isSame = (kind === 'push' || kind === 'replace') && kind === request.kind
      if (!isSame || url.href !== request.url.href) return false
      if (parts.store.get().state === 'failed') run.attempt()
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
  const unmark = markPending(request.link ?? null, parts.hydrated)
  const slow = setTimeout(() => {
    tell(running, 'slow')
    events.emit('slow', { url: request.url })
  }, settings.pendingAfterMs)
  const deadline = createDeadline({ ...settings, onLate: () => offerWayOut(running) })
  const release = () => {
    deadline.stop()
    clearTimeout(slow)
    unmark()
  }
  const own = { startedAtMs: parts.now(), trying: new AbortController(), isLate: false }
  const running: Running = { request, parts, ...own, deadline, release, run }
  request.signal?.addEventListener('abort', () => run.end('canceled'), { once: true })
  events.emit('start', { url: request.url, kind: request.kind })
  return run
}

async function attempt(running: Running, arrive: Arrive): Promise<void> {
  const { deadline, run } = running
  running.trying.abort()
  running.trying = new AbortController()
  const { signal } = running.trying
  running.isLate = false
  deadline.restart()
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

function tell({ request, parts, run }: Running, state: NavigationState['state']): void {
  const cancel = () => run.end('canceled')
  parts.store.set({ state, target: request.url, cancel, retry: run.attempt })
}

function offerWayOut(running: Running): void {
  const { request, parts, run, deadline } = running
  running.isLate = true
  tell(running, 'late')
  parts.events.emit('timeout', { url: request.url })
  const chosen = (act: () => void) => () => {
    running.isLate = false
    act()
  }
  parts.wayOut.offerLate({
    wait: chosen(deadline.restart),
    leave: chosen(() => leave(running)),
    cancel: () => run.end('canceled'),
    giveUp: () => offerRetry(running, new Error(`${request.url.pathname} did not arrive.`)),
  })
}

function leave({ run, request }: Pick<Running, 'run' | 'request'>): void {
  run.end('document')
  openDocument(window, request.url, request.kind)
}

/** The URL has no more than a document. */
function openOwn(running: Running): void {
  const { request, run } = running
  if (mayLeave(request, request.url.href)) leave(running)
  else run.end('failed')
}

/** Another build answers: only a document can go on with it, and takes the place of this one. */
function changeBuild({ request, parts, run, deadline }: Running, { build }: OtherBuild): void {
  deadline.stop()
  if (mayLeave(request, build)) {
    parts.wayOut.offerDocument({
      leave: () => leave({ run, request }),
      cancel: () => run.end('canceled'),
    })
  } else run.end('failed')
}

/** Nobody has asked for a refresh by a click, and it may be one of many. */
function mayLeave({ kind }: NavigationRequest, reason: string): boolean {
  return kind !== 'refresh' || mayReload(reason)
}

function offerRetry(running: Running, error: unknown): void {
  const { request, parts, run, deadline } = running
  deadline.stop()
  tell(running, 'failed')
  parts.events.emit('error', { url: request.url, error })
  parts.wayOut.offerFailed(request.url, {
    retry: run.attempt,
    leave: () => leave(running),
    cancel: () => run.end('canceled'),
  })
}

function finish(
  { request, parts, startedAtMs, trying, release }: Running,
  outcome: NavigationOutcome,
): void {
  const { url, kind } = request
  // A page that is shown may still be streaming.
  if (outcome !== 'committed') trying.abort()
  release()
  parts.wayOut.clear()
  parts.store.set(idle)
  if (outcome === 'committed') {
    parts.events.emit('commit', { url, kind, durationMs: parts.now() - startedAtMs })
  } else if (outcome !== 'document') parts.events.emit('abort', { url })
}
