import { onOtherUser } from 'virtual:waymark/hooks/onOtherUser'
import { idle, type NavigationOutcome } from '../../components/navigationStore.ts'
import { type TracedEvent, trace } from '../../wire/trace.ts'
import { mayReload } from '../assets/reload.ts'
import { createDeadline, createRetries, retry, retryPolicies } from '../retry/retry.ts'
import { type commitPage, type commitShell, requestOf } from './commitPage.ts'
import { navigateDocument } from './documentNavigation.ts'
import { DocumentNeeded, isTransient, OtherBuild, OtherUser } from './fetchPage.ts'
import { markPending } from './links.ts'
import type { loadPage } from './loadPage.ts'
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

/** The steps of a navigation that the task doesn't take itself, in the order in which they run. */
type TaskSteps = {
  readonly loadPage: typeof loadPage
  readonly commitShell: typeof commitShell
  readonly commitPage: typeof commitPage
  readonly onEnd: (outcome: NavigationOutcome) => void
}

/**
 * Creates one navigation, whose phases are functions below, in this order:
 * - `attempt` loads the page and commits it. Short failures are retried without a notice.
 * - `slow`, `stillLoading` and `late` run while the page has not arrived.
 * - `fail` runs when the attempt has failed. A new attempt may follow.
 * - `end` runs once, with the outcome.
 */
export function createNavigationTask(
  request: NavigationRequest,
  context: NavigationContext,
  { loadPage, commitShell, commitPage, onEnd }: TaskSteps,
): NavigationTask {
  const { url, kind, repairs, isQuiet } = request
  const { tab, events, notice, settings, now } = context
  // Nobody waits for a quiet refresh, and the screen of a failed component has its own ways on.
  const hasNotices = request.screenPlace === undefined && !isQuiet
  const startedAtMs = now()
  const unmark = markPending(request.link, context.hydrated)
  const retries = createRetries(retryPolicies.page, now)
  const deadline = createDeadline({ ...settings, onTimeout: late })
  let hasEnded = false
  let resolveEnded: (outcome: NavigationOutcome) => void = () => {}
  /** Belongs to the current attempt: the next one aborts it. */
  let controller = new AbortController()
  let slowTimer: ReturnType<typeof setTimeout> | undefined
  let noticeTimer: ReturnType<typeof setTimeout> | undefined
  /** The most bytes that a load of the current attempt has received. */
  let mostReceivedBytes = -1
  /** True if data has arrived since the deadline passed. */
  let hasProgressed = false

  const task: NavigationTask = {
    request,
    before: tab.state.page,
    hasShell: false,
    focused: null,
    isOutdated: false,
    ended: new Promise((resolve) => {
      resolveEnded = resolve
    }),
    join,
    attempt,
    end,
  }
  const cancel = () => end('canceled')
  const choices: NavigationChoices = {
    wait: deadline.restart,
    retry: attempt,
    leave,
    cancel,
    giveUp,
  }
  request.signal?.addEventListener('abort', cancel)
  events.emit('start', { url, kind })
  traceState('start')

  function join(other: NavigationRequest): boolean {
    const isSame = (kind === 'push' || kind === 'replace') && kind === other.kind
    if (!isSame || url.href !== other.url.href) return false
    if (tab.state.phase === 'failed') attempt()
    return true
  }

  function attempt(): void {
    if (hasEnded) return
    controller.abort()
    controller = new AbortController()
    mostReceivedBytes = -1
    hasProgressed = false
    clearTimers()
    slowTimer = setTimeout(slow, settings.pendingAfterMs)
    noticeTimer = setTimeout(stillLoading, settings.timeoutMs)
    deadline.restart()
    change('attempt')
    void run(controller.signal)
  }

  /** Repeats what breaks without a notice, until the first failure was a second ago. */
  async function run(signal: AbortSignal): Promise<void> {
    // After silence for the whole limit, the user is told of it.
    const isWorthIt = (error: unknown) =>
      isTransient(error) && retries.isQuiet() && (error as Error).cause !== silent
    try {
      while (!(await retry(() => loadAndCommit(signal), { retries, signal, isWorthIt })));
      if (!signal.aborted) end('committed')
    } catch (error) {
      if (!signal.aborted) fail(error)
    }
  }

  /** @returns false when the loaded page can't be shown */
  async function loadAndCommit(signal: AbortSignal): Promise<boolean> {
    const { page: mounted, version } = tab.state
    const arrived = new AbortController()
    const noShell = AbortSignal.any([signal, arrived.signal])
    const broken = new AbortController()
    let isVisible = false
    let receivedBytes = 0
    const sourced = await loadPage(context, requestOf(task), {
      signal,
      isRetry: retries.failures > 0,
      // Bytes that an earlier load has brought, too, are no progress.
      onProgress(isHeartbeat, byteCount = 0) {
        receivedBytes += byteCount
        if (receivedBytes <= mostReceivedBytes) return
        mostReceivedBytes = receivedBytes
        hasProgressed = true
        deadline.progress(isHeartbeat)
      },
      // Before the page is visible, React may wait for data that was cut, and the page with it.
      onBroken: (how) => (isVisible && !repairs ? context.onBroken(how) : broken.abort(how)),
      onShell: (shell) => void commitShell(context, task, shell, noShell),
    })
    if (signal.aborted) return true
    arrived.abort()
    const page = { ...sourced, mounted, version }
    const showing = commitPage(context, task, page, AbortSignal.any([signal, broken.signal]))
    const breaks = rejectOnAbort(broken.signal)
    isVisible = await Promise.race([showing, breaks])
    if (!isVisible || !repairs) return isVisible
    // A page that still streams has no deadline as long as bytes arrive.
    deadline.stop()
    await Promise.race([sourced.whole, breaks])
    return true
  }

  function slow(): void {
    change('pending')
    events.emit('slow', { url })
    // The first attempt timed out without data. Don't retry if this one stalls, too.
    if (repairs === 'silent') offerTimeout(() => {})
  }

  /**
   * The click has waited for its whole limit, and nothing of the target is on the screen. A page
   * that still arrives is not given up: only silence ends a navigation by itself.
   */
  function stillLoading(): void {
    const isUnseen = !hasNotices || kind === 'refresh'
    if (isUnseen || task.hasShell || !hasProgressed || tab.state.isTimedOut) return
    offerTimeout(null)
  }

  /** The deadline has passed. */
  function late(): void {
    hasProgressed = false
    if (!hasNotices) end('failed')
    else if (repairs === 'silent') giveUp()
    else offerTimeout(giveUp)
  }

  /** @param onUnattended `null` while the page still arrives: only the person gives it up */
  function offerTimeout(onUnattended: NavigationChoices['giveUp'] | null): void {
    if (!tab.state.isTimedOut) {
      change('timeout')
      retries.endQuiet()
      events.emit('timeout', { url })
      if (import.meta.env.WAYMARK_TRACED) trace({ type: 'deadline', url: url.href })
    }
    const chosen = (act: () => void) => () => {
      change('choose')
      act()
    }
    notice.offerTimeout({
      ...choices,
      wait: chosen(choices.wait),
      leave: chosen(leave),
      giveUp: onUnattended,
    })
  }

  function leave(): void {
    // The document is of the page that is on the screen, and has the same fields.
    if (kind === 'refresh') context.saveDraft()
    end('document')
    navigateDocument(window, url, kind)
  }

  function giveUp(): void {
    if (hasProgressed) {
      deadline.restart()
      return
    }
    const error = new Error(`${url.pathname} did not arrive.`)
    retries.fail(error)
    offerRetry(error)
  }

  function fail(error: unknown): void {
    if (error instanceof DocumentNeeded) {
      // The server has said that there is one: nothing to check, and no notice.
      if (mayLeave(url.href)) leave()
      else end('failed')
    } else if (error instanceof OtherBuild) {
      clearTimers()
      if (mayLeave(error.build)) notice.offerDocument(choices)
      else end('failed')
    } else if (error instanceof OtherUser) {
      clearTimers()
      // The page on the screen stays, with its typed text. A document has the other user's page.
      const isOfScreen = kind === 'refresh' || request.screenPlace !== undefined
      if (isOfScreen) end('failed')
      else notice.offerDocument(choices)
      if (onOtherUser && (isOfScreen || context.isDirty())) onOtherUser()
    } else if (hasNotices) offerRetry(error)
    // The built-in screen shows in place of the app's, with ways on. Or the page stays as it is.
    else end('failed')
  }

  function offerRetry(error: unknown): void {
    clearTimers()
    change('fail')
    events.emit('error', { url, error })
    void notice.offerRetry(url, choices, { retries, error, mayOpen: () => mayLeave(url.href) })
  }

  /** A refresh follows no click, and may be one of many. */
  function mayLeave(reason: string): boolean {
    return kind !== 'refresh' || mayReload(reason)
  }

  function end(outcome: NavigationOutcome): void {
    if (hasEnded) return
    hasEnded = true
    const { isTimedOut } = tab.state
    unmark()
    request.signal?.removeEventListener('abort', cancel)
    // A page that is shown may still be streaming.
    if (outcome !== 'committed') controller.abort()
    clearTimers()
    notice.clear()
    change('end')
    traceState('idle', outcome)
    const durationMs = now() - startedAtMs
    if (outcome === 'committed') events.emit('commit', { url, kind, durationMs })
    else if (outcome !== 'document') events.emit('abort', { url })
    onEnd(outcome)
    const isAbandoned = outcome === 'canceled' || outcome === 'document'
    resolveEnded(isTimedOut && isAbandoned ? 'timed-out' : outcome)
  }

  function clearTimers(): void {
    clearTimeout(slowTimer)
    clearTimeout(noticeTimer)
    deadline.stop()
  }

  function change(type: NavigationStep): void {
    if (isQuiet) return
    const before = tab.state.phase
    tab.dispatch({ type })
    const { phase } = tab.state
    if (phase === before) return
    if (phase !== 'idle') traceState(phase)
    context.store.set(
      phase === 'idle' ? idle : { state: phase, target: url, cancel, retry: attempt },
    )
  }

  function traceState(
    state: Extract<TracedEvent, { type: 'navigation' }>['state'],
    outcome: string | null = null,
  ): void {
    if (import.meta.env.WAYMARK_TRACED && !isQuiet)
      trace({ type: 'navigation', state, url: url.href, kind, outcome })
  }

  return task
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
