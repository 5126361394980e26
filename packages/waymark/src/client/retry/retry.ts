import { trace } from '../../wire/trace.ts'

/** Pauses between attempts. */
export type RetryPolicy = {
  /**
   * Pauses before the second attempt, the third, and so on. Jitter shortens each pause by up to a
   * fifth.
   */
  readonly pausesMs: readonly number[]
  /** Pause before all later attempts. Without it, there are no later attempts. */
  readonly laterMs?: number
}

/**
 * The policies for all kinds of requests that are repeated. Two retry loops don't use this file,
 * because it would then be part of the code that loads first. Both retry loading the router:
 * `runCall` in `actions/calls.ts` every 2 s, and `queueNavigation` in `loader.ts` when the browser
 * is online again.
 */
export const retryPolicies = {
  /**
   * Eight requests within about ten seconds. One of them checks the document before a notice is
   * shown.
   */
  page: { pausesMs: [100, 500, 900, 900, 1200, 3300, 5700], laterMs: 15_000 },
  /** Three attempts within a navigation's time limit, which cuts off the last one. */
  chunk: { pausesMs: [150, 600] },
  /** Two attempts, after which a notice asks the user. */
  form: { pausesMs: [400] },
  /** Four attempts, so that code which awaits a call gets the error within three seconds. */
  awaitedCall: { pausesMs: [400, 700, 1300] },
  /** A single attempt, because `chunk` already retries the import. */
  actionsCode: { pausesMs: [] },
} satisfies Record<string, RetryPolicy>

/** Returns the milliseconds that a response asks the browser to wait, or 0. The value isn't bounded. */
export function retryAfterMsOf(headers: { get(name: string): string | null }): number {
  return (Number(headers.get('retry-after')) || 0) * 1000
}

/** Maximum milliseconds of a pause that a server can ask for. */
const longestRetryAfterMs = 3000
/** Milliseconds after the first failure during which no notice is shown. */
const quietMs = 1000

export type Retries = ReturnType<typeof createRetries>

export function createRetries(
  { pausesMs, laterMs }: RetryPolicy,
  now: () => number = Date.now,
  random: () => number = Math.random,
) {
  let failures = 0
  let firstAtMs = now()
  let minPauseMs = 0
  let isNoticed = false
  return {
    get failures(): number {
      return failures
    },
    fail(error: unknown): void {
      if (failures++ === 0) firstAtMs = now()
      const { retryAfterMs = 0 } = (error ?? {}) as { retryAfterMs?: number }
      minPauseMs = Math.min(retryAfterMs, longestRetryAfterMs)
    },
    /**
     * Returns the pause before the next attempt, or `null` if the policy doesn't allow a further
     * attempt.
     */
    pauseMs(): number | null {
      const longestMs = pausesMs[failures - 1] ?? laterMs
      return longestMs === undefined ? null : Math.max(longestMs * (1 - random() / 5), minPauseMs)
    },
    /** True if the first failure was less than a second ago and no notice has been shown. */
    isQuiet: () => !isNoticed && now() - firstAtMs < quietMs,
    /** Records that a notice is shown. */
    endQuiet(): void {
      isNoticed = true
    },
  }
}

// Request Timeout, Too Early and Too Many Requests: a later attempt may succeed.
const busy: ReadonlySet<number> = new Set([408, 425, 429])

/** True for a 4xx status that would be the same for a later attempt. */
export function isLastingRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !busy.has(status)
}

export type RetryOptions = {
  readonly retries: Retries
  readonly signal?: AbortSignal
  /** Returns true if another attempt may succeed. Default: always true. */
  readonly isWorthIt?: (error: unknown) => boolean
  /** Called when the policy doesn't allow a further attempt. @returns true to try again at once */
  readonly onExhausted?: (error: unknown) => boolean | Promise<boolean>
}

/**
 * Repeats an attempt until it succeeds, with the policy's pauses.
 * @param attempt gets the number of previous failures
 * @throws the last error once no attempt is left or `isWorthIt` returns false, or the signal's
 * reason if the signal aborts
 */
export async function retry<Result>(
  attempt: (failures: number) => Promise<Result>,
  options: RetryOptions,
): Promise<Result> {
  for (;;) {
    try {
      return await attempt(options.retries.failures)
    } catch (error) {
      if (!(await waitToRetry(error, options))) throw error
    }
  }
}

/**
 * Counts a failure and waits until the next attempt may start.
 * @returns false if there should be no further attempt
 */
export async function waitToRetry(
  error: unknown,
  { retries, signal, isWorthIt = () => true, onExhausted }: RetryOptions,
): Promise<boolean> {
  retries.fail(error)
  if (signal?.aborted || !isWorthIt(error)) return false
  const pauseMs = retries.pauseMs()
  if (pauseMs === null) return onExhausted?.(error) ?? false
  if (import.meta.env.WAYMARK_TRACED) {
    const reason = error instanceof Error ? error.name : 'unknown'
    trace({ type: 'retry', failures: retries.failures, reason })
  }
  await pause(pauseMs, signal)
  signal?.throwIfAborted()
  return true
}

/** Waits until the time has passed, the browser is online again, or the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const ended = new AbortController()
    const end = () => {
      clearTimeout(timer)
      ended.abort()
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { signal: ended.signal })
    globalThis.addEventListener?.('online', end, { signal: ended.signal })
  })
}

export type Deadline = ReturnType<typeof createDeadline>

/** Heartbeats alone can extend a deadline to this multiple of `timeoutMs`. */
const heartbeatLimit = 3

/** Maximum delay of `setTimeout`. */
const noCapMs = 2 ** 31 - 1

/**
 * Creates a deadline that restarts whenever data arrives.
 * @param options.timeoutMs milliseconds without data after which the deadline passes
 * @param options.hardCapMs milliseconds after which the deadline passes even if data keeps arriving
 */
export function createDeadline({
  timeoutMs,
  hardCapMs = noCapMs,
  onTimeout,
}: {
  readonly timeoutMs: number
  readonly hardCapMs?: number
  readonly onTimeout: () => void
}) {
  let silence: ReturnType<typeof setTimeout> | undefined
  let standstill: ReturnType<typeof setTimeout> | undefined
  let cap: ReturnType<typeof setTimeout> | undefined
  let isRunning = false

  function stop(): void {
    isRunning = false
    clearTimeout(silence)
    clearTimeout(standstill)
    clearTimeout(cap)
  }
  function timeout(): void {
    stop()
    onTimeout()
  }
  /**
   * Restarts the timeout because data has arrived. Heartbeats alone can extend it to at most three
   * times `timeoutMs`.
   */
  function progress(isHeartbeat = false): void {
    if (!isRunning) return
    clearTimeout(silence)
    silence = setTimeout(timeout, timeoutMs)
    if (isHeartbeat) return
    clearTimeout(standstill)
    standstill = setTimeout(timeout, Math.min(timeoutMs * heartbeatLimit, hardCapMs))
  }
  function restart(): void {
    stop()
    isRunning = true
    cap = setTimeout(timeout, hardCapMs)
    progress()
  }

  restart()
  return { progress, restart, stop }
}
