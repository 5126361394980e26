import { onOtherUser } from 'virtual:waymark/hooks/onOtherUser'
import { idle, type NavigationOutcome } from '../../components/navigationStore.ts'
import { type TracedEvent, trace } from '../../wire/trace.ts'
import { mayReload } from '../assets/reload.ts'
import {
  createDeadline,
  createRetries,
  type Deadline,
  type Retries,
  retry,
  retryPolicies,
} from '../retry/retry.ts'
import { commitPage, commitShell, requestOf } from './commitPage.ts'
import { navigateDocument } from './documentNavigation.ts'
import { DocumentNeeded, isTransient, OtherBuild, OtherUser } from './fetchPage.ts'
import { markPending } from './links.ts'
import { loadPage } from './loadPage.ts'
import type {
  Break,
  Navigation,
  NavigationContext,
  NavigationRequest,
  NavigationStep,
} from './navigation.ts'
import type { NavigationChoices } from './navigationNotice.ts'
import { BrokenPayload } from './verifiedStream.ts'

export type NavigationTask = Navigation & {
  readonly ended: Promise<NavigationOutcome>
  attempt(): void
  end(outcome: NavigationOutcome): void
  /** Takes over a request for the same page. @returns false when it is for another */
  join(request: NavigationRequest): boolean
}

/** What an attempt does: it loads the page, then shows it. */
type Stages = { readonly loadPage: typeof loadPage; readonly commitPage: typeof commitPage }

type TaskOptions = {
  readonly onEnd: (outcome: NavigationOutcome) => void
  readonly stages?: Stages
}

type Running = NavigationTask & {
  readonly context: NavigationContext
  readonly stages: Stages
  readonly deadline: Deadline
  readonly retries: Retries
  /** The most that an attempt has brought. */
  receivedBytes: number
  /** Of the current attempt: the next one aborts it. */
  controller: AbortController
  slowTimer?: ReturnType<typeof setTimeout>
  /** Shows the first notice that long after the click, whatever arrives meanwhile. */
  noticeTimer?: ReturnType<typeof setTimeout>
  /** Something has arrived since the deadline passed. */
  hasProgressed: boolean
}

export function createNavigationTask(
  request: NavigationRequest,
  context: NavigationContext,
  { onEnd, stages = { loadPage, commitPage } }: TaskOptions,
): NavigationTask {
  const { url, kind, signal } = request
  const { tab, events, now } = context
  const startedAtMs = now()
  const unmark = markPending(request.link, context.hydrated)
  const cancel = () => task.end('canceled')
  let hasEnded = false
  let resolveEnded: (outcome: NavigationOutcome) => void = () => {}
  const task: Running = {
    context,
    stages,
    request,
    before: tab.state.page,
    hasShell: false,
    focused: null,
    isOutdated: false,
    controller: new AbortController(),
    receivedBytes: -1,
    hasProgressed: false,
    retries: createRetries(retryPolicies.page, now),
    deadline: createDeadline({ ...context.settings, onTimeout: () => onTimeout(task) }),
    ended: new Promise((resolve) => {
      resolveEnded = resolve
    }),
    attempt() {
      if (!hasEnded) void attempt(task)
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
      // A page that is shown may still be streaming.
      if (outcome !== 'committed') task.controller.abort()
      clearTimers(task)
      context.notice.clear()
      change(task, 'end')
      traceState(request, 'idle', outcome)
      const durationMs = now() - startedAtMs
      if (outcome === 'committed') events.emit('commit', { url, kind, durationMs })
      else if (outcome !== 'document') events.emit('abort', { url })
      onEnd(outcome)
      const isAbandoned = outcome === 'canceled' || outcome === 'document'
      resolveEnded(isTimedOut && isAbandoned ? 'timed-out' : outcome)
    },
  }
  signal?.addEventListener('abort', cancel)
  events.emit('start', { url, kind })
  traceState(request, 'start')
  return task
}

async function attempt(task: Running): Promise<void> {
  const { request, context, deadline } = task
  task.controller.abort()
  task.controller = new AbortController()
  const { signal } = task.controller
  task.receivedBytes = -1
  task.hasProgressed = false
  clearTimers(task)
  task.slowTimer = setTimeout(() => {
    change(task, 'pending')
    context.events.emit('slow', { url: request.url })
    // The first attempt timed out without data. Don't retry if this one stalls, too.
    if (request.repairs === 'silent') offerTimeout(task, () => {})
  }, context.settings.pendingAfterMs)
  task.noticeTimer = setTimeout(() => onStillLoading(task), context.settings.timeoutMs)
  deadline.restart()
  change(task, 'attempt')
  try {
    await loadAndCommit(task, signal)
    if (!signal.aborted) task.end('committed')
  } catch (error) {
    if (!signal.aborted) onError(task, error)
  }
}

/** Loads the page and shows it; what breaks is tried again, for as long as nobody need know. */
async function loadAndCommit(task: Running, signal: AbortSignal): Promise<void> {
  const { retries } = task
  // Silence has lasted for the whole limit: the user is told of it.
  const isWorthIt = (error: unknown) =>
    isTransient(error) && retries.isQuiet() && (error as Error).cause !== silent
  while (!(await retry(() => loadOnce(task, signal), { retries, signal, isWorthIt })));
}

/** @returns false when what was loaded can't be shown */
async function loadOnce(task: Running, signal: AbortSignal): Promise<boolean> {
  const { context, deadline, request, retries, stages } = task
  const { page: mounted, version } = context.tab.state
  const arrived = new AbortController()
  const noShell = AbortSignal.any([signal, arrived.signal])
  const broken = new AbortController()
  let isVisible = false
  let receivedBytes = 0
  const sourced = await stages.loadPage(context, requestOf(task), {
    signal,
    isRetry: retries.failures > 0,
    // Bytes that an earlier attempt has brought, too, are no progress.
    onProgress(isHeartbeat, byteCount = 0) {
      receivedBytes += byteCount
      if (receivedBytes <= task.receivedBytes) return
      task.receivedBytes = receivedBytes
      task.hasProgressed = true
      deadline.progress(isHeartbeat)
    },
    // Before it is shown, React may wait for what was cut, and the page with it.
    onBroken: (how) => (isVisible && !request.repairs ? context.onBroken(how) : broken.abort(how)),
    onShell: (shell) => void commitShell(context, task, shell, noShell),
  })
  if (signal.aborted) return true
  arrived.abort()
  const page = { ...sourced, mounted, version }
  const showing = stages.commitPage(context, task, page, AbortSignal.any([signal, broken.signal]))
  const breaks = rejectOnAbort(broken.signal)
  isVisible = await Promise.race([showing, breaks])
  if (!isVisible || !request.repairs) return isVisible
  // A page that still streams has no deadline as long as bytes arrive.
  deadline.stop()
  await Promise.race([sourced.whole, breaks])
  return true
}

const silent: Break = 'silent'

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () =>
      reject(new BrokenPayload('What was to be shown has broken.', { cause: signal.reason }))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

function choicesOf(task: Running): NavigationChoices {
  const { url, kind } = task.request
  return {
    wait: task.deadline.restart,
    retry: task.attempt,
    leave() {
      // The document is of the page that is on the screen, and has the same fields.
      if (kind === 'refresh') task.context.saveDraft()
      task.end('document')
      navigateDocument(window, url, kind)
    },
    cancel: () => task.end('canceled'),
    giveUp() {
      if (task.hasProgressed) {
        task.deadline.restart()
        return
      }
      const error = new Error(`${url.pathname} did not arrive.`)
      task.retries.fail(error)
      offerRetry(task, error)
    },
  }
}

function traceState(
  { url, kind, isQuiet }: NavigationRequest,
  state: Extract<TracedEvent, { type: 'navigation' }>['state'],
  outcome: string | null = null,
): void {
  if (import.meta.env.WAYMARK_TRACED && !isQuiet)
    trace({ type: 'navigation', state, url: url.href, kind, outcome })
}

function change(task: Running, type: NavigationStep): void {
  const { request, context } = task
  if (request.isQuiet) return
  const { tab, store } = context
  const before = tab.state.phase
  tab.dispatch({ type })
  const { phase } = tab.state
  if (phase === before) return
  if (phase !== 'idle') traceState(request, phase)
  const { cancel, retry } = choicesOf(task)
  store.set(phase === 'idle' ? idle : { state: phase, target: request.url, cancel, retry })
}

function clearTimers({ slowTimer, noticeTimer, deadline }: Running): void {
  clearTimeout(slowTimer)
  clearTimeout(noticeTimer)
  deadline.stop()
}

/**
 * The click has waited for its whole limit, and nothing of the target is on the screen. What still
 * arrives is not given up: only silence ends a navigation by itself.
 */
function onStillLoading(task: Running): void {
  const { request, hasShell, context } = task
  const isUnseen =
    request.screenPlace !== undefined || request.isQuiet || request.kind === 'refresh'
  if (isUnseen || hasShell || !task.hasProgressed || context.tab.state.isTimedOut) return
  offerTimeout(task, null)
}

function onTimeout(task: Running): void {
  const { request } = task
  task.hasProgressed = false
  if (request.screenPlace !== undefined || request.isQuiet) {
    task.end('failed')
    return
  }
  const { giveUp } = choicesOf(task)
  if (request.repairs === 'silent') giveUp()
  else offerTimeout(task, giveUp)
}

/** @param giveUp `null` while the page still arrives: nobody gives it up but the person */
function offerTimeout(task: Running, giveUp: NavigationChoices['giveUp'] | null): void {
  const { request, context } = task
  const choices = choicesOf(task)
  if (!context.tab.state.isTimedOut) {
    change(task, 'timeout')
    task.retries.endQuiet()
    context.events.emit('timeout', { url: request.url })
    if (import.meta.env.WAYMARK_TRACED) trace({ type: 'deadline', url: request.url.href })
  }
  const chosen = (act: () => void) => () => {
    change(task, 'choose')
    act()
  }
  const [wait, leave] = [chosen(choices.wait), chosen(choices.leave)]
  context.notice.offerTimeout({ ...choices, wait, leave, giveUp })
}

function onError(task: Running, error: unknown): void {
  const { request, context } = task
  if (error instanceof DocumentNeeded) {
    // The server has said that there is one: nothing to check, and no notice.
    if (mayLeave(request, request.url.href)) choicesOf(task).leave()
    else task.end('failed')
  } else if (error instanceof OtherBuild) {
    clearTimers(task)
    if (mayLeave(request, error.build)) context.notice.offerDocument(choicesOf(task))
    else task.end('failed')
  } else if (error instanceof OtherUser) {
    clearTimers(task)
    // The page on the screen stays, with what was typed. A document has the other user's page.
    const isOfScreen = request.kind === 'refresh' || request.screenPlace !== undefined
    if (isOfScreen) task.end('failed')
    else context.notice.offerDocument(choicesOf(task))
    if (onOtherUser && (isOfScreen || context.isDirty())) onOtherUser()
  } else if (request.screenPlace !== undefined || request.isQuiet) {
    // The built-in screen shows in place of the app's, with ways on. Or the page stays as it is.
    task.end('failed')
  } else offerRetry(task, error)
}

/** A refresh follows no click, and may be one of many. */
function mayLeave({ kind }: NavigationRequest, reason: string): boolean {
  return kind !== 'refresh' || mayReload(reason)
}

function offerRetry(task: Running, error: unknown): void {
  const { context, request, retries } = task
  const { url } = request
  clearTimers(task)
  change(task, 'fail')
  context.events.emit('error', { url, error })
  const mayOpen = () => mayLeave(request, url.href)
  void context.notice.offerRetry(url, choicesOf(task), { retries, error, mayOpen })
}
