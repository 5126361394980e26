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
  /**
   * Lets a request for the same page join this navigation. @returns false for a request for a
   * different page
   */
  join(request: NavigationRequest): boolean
}

/** Steps that the caller provides, in the order in which they run. */
type TaskSteps = {
  readonly loadPage: typeof loadPage
  readonly commitShell: typeof commitShell
  readonly commitPage: typeof commitPage
  readonly onEnd: (outcome: NavigationOutcome) => void
}

/**
 * Creates a navigation. Its phases are the functions below, in this order:
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
  // Show no notices for a background refresh, or for a screen in place of a failed component,
  // because the screen has its own links.
  const hasNotices = request.screenPlace === undefined && !isQuiet
  const startedAtMs = now()
  const unmark = markPending(request.link, context.hydrated)
  const retries = createRetries(retryPolicies.page, now)
  const deadline = createDeadline({ ...settings, onTimeout: late })
  let hasEnded = false
  let resolveEnded: (outcome: NavigationOutcome) => void = () => {}
  /** Controller of the current attempt, aborted by the next attempt. */
  let controller = new AbortController()
  let slowTimer: ReturnType<typeof setTimeout> | undefined
  let noticeTimer: ReturnType<typeof setTimeout> | undefined
  /** Maximum number of bytes that any load of the current attempt has received. */
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

  /** Runs an attempt. For a second after the first failure, retries without a notice. */
  async function run(signal: AbortSignal): Promise<void> {
    // Show the notice at once if no data arrived within the whole time limit.
    const isWorthIt = (error: unknown) =>
      isTransient(error) && retries.isQuiet() && (error as Error).cause !== silent
    try {
      while (!(await retry(() => loadAndCommit(signal), { retries, signal, isWorthIt })));
      if (!signal.aborted) end('committed')
    } catch (error) {
      if (!signal.aborted) fail(error)
    }
  }

  /** Loads the page and shows it. @returns false if the page can't be shown */
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
      // Bytes that an earlier load has already received aren't progress.
      onProgress(isHeartbeat, byteCount = 0) {
        receivedBytes += byteCount
        if (receivedBytes <= mostReceivedBytes) return
        mostReceivedBytes = receivedBytes
        hasProgressed = true
        deadline.progress(isHeartbeat)
      },
      // If the page isn't visible yet, fail this attempt, because React may be waiting for the lost
      // data.
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
    // A visible page may stream as long as bytes arrive, so stop the deadline.
    deadline.stop()
    await Promise.race([sourced.whole, breaks])
    return true
  }

  function slow(): void {
    change('pending')
    events.emit('slow', { url })
    // The first attempt timed out without data, so don't retry if the current attempt stalls, too.
    if (repairs === 'silent') offerTimeout(() => {})
  }

  /**
   * Offers choices if data is still arriving after the time limit, but nothing of the target can be
   * shown yet. The navigation continues as long as data arrives.
   */
  function stillLoading(): void {
    const isUnseen = !hasNotices || kind === 'refresh'
    if (isUnseen || task.hasShell || !hasProgressed || tab.state.isTimedOut) return
    offerTimeout(null)
  }

  /** Handles a navigation whose deadline has passed. */
  function late(): void {
    hasProgressed = false
    if (!hasNotices) end('failed')
    else if (repairs === 'silent') giveUp()
    else offerTimeout(giveUp)
  }

  /**
   * Shows the notice about a late navigation.
   * @param onUnattended called if the user ignores the notice; `null` while data is still arriving
   */
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
    // The new document shows the same page after a refresh, so it can restore the typed text.
    if (kind === 'refresh') context.saveDraft()
    end('document')
    navigateDocument(window, url, kind)
  }

  function giveUp(): void {
    if (hasProgressed) {
      deadline.restart()
      return
    }
    const error = new Error(`No data arrived for ${url.pathname}.`)
    retries.fail(error)
    offerRetry(error)
  }

  function fail(error: unknown): void {
    if (error instanceof DocumentNeeded) {
      // The server has confirmed that the URL has a document, so leave without a check or a notice.
      if (mayLeave(url.href)) leave()
      else end('failed')
    } else if (error instanceof OtherBuild) {
      clearTimers()
      if (mayLeave(error.build)) notice.offerDocument(choices)
      else end('failed')
    } else if (error instanceof OtherUser) {
      clearTimers()
      // In a refresh, keep the current page with its typed text, because a new document would show
      // a different user's page.
      const isOfScreen = kind === 'refresh' || request.screenPlace !== undefined
      if (isOfScreen) end('failed')
      else notice.offerDocument(choices)
      if (onOtherUser && (isOfScreen || context.isDirty())) onOtherUser()
    } else if (hasNotices) offerRetry(error)
    // Without notices, the navigation just fails: the built-in screen replaces the app's screen, or
    // the page stays unchanged.
    else end('failed')
  }

  function offerRetry(error: unknown): void {
    clearTimers()
    change('fail')
    events.emit('error', { url, error })
    void notice.offerRetry(url, choices, { retries, error, mayOpen: () => mayLeave(url.href) })
  }

  /**
   * True if a document may be loaded. A refresh may do so only once, because the user hasn't
   * clicked.
   */
  function mayLeave(reason: string): boolean {
    return kind !== 'refresh' || mayReload(reason)
  }

  function end(outcome: NavigationOutcome): void {
    if (hasEnded) return
    hasEnded = true
    const { isTimedOut } = tab.state
    unmark()
    request.signal?.removeEventListener('abort', cancel)
    // Don't abort the requests of a committed page, because the page may still be streaming.
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
      reject(new BrokenPayload("The page's data was lost.", { cause: signal.reason }))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}
