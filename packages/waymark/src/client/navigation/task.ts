import {
  idle,
  type NavigationOutcome,
  type NavigationStore,
} from '../../components/navigationStore.ts'
import type { NavigationSettings } from '../../shared/settings.ts'
import { mayReload } from '../assets/reload.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import { navigateDocument } from './documentNavigation.ts'
import type { FallbackNotice } from './fallbackNotice.ts'
import type { NavigationRequest, NavigationStep, RouterEvents, Tab } from './navigation.ts'
import { DocumentNeeded, OtherBuild } from './navigationErrors.ts'
import { markPending } from './pendingLink.ts'

/** What a navigation works with: the tab that it changes, and those that are notified. */
export type NavigationTaskOptions = {
  readonly tab: Tab
  readonly settings: NavigationSettings
  readonly events: RouterEvents
  readonly store: NavigationStore
  readonly notice: FallbackNotice
  readonly now: () => number
  /** Resolves once React has taken over the document. */
  readonly hydrated: Promise<void>
}

/** A navigation that is running. */
export type NavigationTask = {
  readonly kind: NavigationRequest['kind']
  readonly ended: Promise<NavigationOutcome>
  /** Starts it, or starts it again. */
  attempt(): void
  end(outcome: NavigationOutcome): void
  /**
   * Takes over a request for the same page; a task that has failed is tried again.
   * @returns false when the request is for something else
   */
  join(request: NavigationRequest): boolean
}

/** One attempt at a navigation. */
export type Attempt = {
  readonly signal: AbortSignal
  /** Data has arrived: the deadline starts again. */
  readonly onProgress: () => void
}

/** How a task does its work. */
export type NavigationSteps = {
  /** Loads the page and shows it. */
  readonly commit: (attempt: Attempt) => Promise<void>
  /** Called once. */
  readonly onEnd: (outcome: NavigationOutcome) => void
}

type Running = {
  readonly request: NavigationRequest
  readonly options: NavigationTaskOptions
  readonly deadline: Deadline
  readonly task: NavigationTask
  /** Of the current attempt: the next one aborts it. */
  controller: AbortController
  slowTimer?: ReturnType<typeof setTimeout>
}

/** Creates the task of a navigation; the first attempt starts it. */
export function createNavigationTask(
  request: NavigationRequest,
  options: NavigationTaskOptions,
  { commit, onEnd }: NavigationSteps,
): NavigationTask {
  const { url, kind, signal } = request
  const { tab, events, now } = options
  const startedAtMs = now()
  const unmark = markPending(request.link ?? null, options.hydrated)
  const cancel = () => task.end('canceled')
  signal?.addEventListener('abort', cancel)
  let hasEnded = false
  let resolveEnded: (outcome: NavigationOutcome) => void = () => {}
  const task: NavigationTask = {
    kind,
    ended: new Promise((resolve) => {
      resolveEnded = resolve
    }),
    attempt() {
      if (!hasEnded) void attempt(running, commit)
    },
    join(other) {
      const isSame = (kind === 'push' || kind === 'replace') && kind === other.kind
      if (!isSame || url.href !== other.url.href) return false
      if (tab.state.phase === 'failed') task.attempt()
      return true
    },
    end(outcome) {
      if (hasEnded) return
      hasEnded = true
      const { isTimedOut } = tab.state
      unmark()
      signal?.removeEventListener('abort', cancel)
      stop(running, outcome)
      if (outcome === 'committed') {
        events.emit('commit', { url, kind, durationMs: now() - startedAtMs })
      } else if (outcome !== 'document') events.emit('abort', { url })
      onEnd(outcome)
      const isGivenUp = outcome === 'canceled' || outcome === 'document'
      resolveEnded(isTimedOut && isGivenUp ? 'timed-out' : outcome)
    },
  }
  const deadline = createDeadline({ ...options.settings, onTimeout: () => onTimeout(running) })
  const running: Running = { request, options, deadline, task, controller: new AbortController() }
  events.emit('start', { url, kind })
  return task
}

async function attempt(running: Running, commit: NavigationSteps['commit']): Promise<void> {
  const { request, options, deadline, task } = running
  running.controller.abort()
  running.controller = new AbortController()
  const { signal } = running.controller
  clearTimeout(running.slowTimer)
  running.slowTimer = setTimeout(() => {
    change(running, 'pending')
    options.events.emit('slow', { url: request.url })
  }, options.settings.pendingAfterMs)
  deadline.restart()
  change(running, 'attempt')
  try {
    await commit({ signal, onProgress: deadline.progress })
    if (!signal.aborted) task.end('committed')
  } catch (error) {
    if (!signal.aborted) onError(running, error)
  }
}

/** Changes the tab's state, and notifies readers of the navigation's. */
function change({ request, options, task }: Running, type: NavigationStep): void {
  const { tab, store } = options
  const before = tab.state.phase
  tab.dispatch({ type })
  const { phase } = tab.state
  if (phase === before) return
  const cancel = () => task.end('canceled')
  store.set(
    phase === 'idle' ? idle : { state: phase, target: request.url, cancel, retry: task.attempt },
  )
}

function stop(running: Running, outcome: NavigationOutcome): void {
  // A page that is shown may still be streaming.
  if (outcome !== 'committed') running.controller.abort()
  clearTimers(running)
  running.options.notice.clear()
  change(running, 'end')
}

function clearTimers({ slowTimer, deadline }: Running): void {
  clearTimeout(slowTimer)
  deadline.stop()
}

function onTimeout(running: Running): void {
  const { request, options, task, deadline } = running
  change(running, 'timeout')
  options.events.emit('timeout', { url: request.url })
  const chosen = (act: () => void) => () => {
    change(running, 'choose')
    act()
  }
  options.notice.offerTimeout({
    wait: chosen(deadline.restart),
    leave: chosen(() => leave(running)),
    cancel: () => task.end('canceled'),
    giveUp: () => offerRetry(running, new Error(`${request.url.pathname} did not arrive.`)),
  })
}

function onError(running: Running, error: unknown): void {
  const { request, options, task } = running
  if (error instanceof DocumentNeeded) {
    // The server has said that there is one: nothing to check, and no notice.
    if (mayLeave(request, request.url.href)) leave(running)
    else task.end('failed')
  } else if (error instanceof OtherBuild) {
    clearTimers(running)
    const choices = { leave: () => leave(running), cancel: () => task.end('canceled') }
    if (mayLeave(request, error.build)) options.notice.offerDocument(choices)
    else task.end('failed')
  } else offerRetry(running, error)
}

/** A refresh follows no click, and may be one of many. */
function mayLeave({ kind }: NavigationRequest, reason: string): boolean {
  return kind !== 'refresh' || mayReload(reason)
}

function leave({ task, request }: Running): void {
  task.end('document')
  navigateDocument(window, request.url, request.kind)
}

function offerRetry(running: Running, error: unknown): void {
  const { request, options, task } = running
  clearTimers(running)
  change(running, 'fail')
  options.events.emit('error', { url: request.url, error })
  options.notice.offerRetry(request.url, {
    retry: task.attempt,
    leave: () => leave(running),
    cancel: () => task.end('canceled'),
  })
}
