import { trace } from '../../wire/trace.ts'

/** When an attempt that has failed is repeated. */
export type RetryPolicy = {
  /** Before the second attempt, the third, and so on; each is shortened by jitter. */
  readonly pausesMs: readonly number[]
  /** Before all attempts after those; without it, there are none. */
  readonly laterMs?: number
}

/**
 * One row for each kind of request that is repeated. Two loops of the eager code repeat the loading
 * of the router without this file, which they would make it load: `runCall` in `actions/calls.ts`
 * each 2 s, and `queueNavigation` in `loader.ts` once the browser is online again.
 */
export const retryPolicies = {
  /** Eight requests in ten seconds, with the probe that goes before a notice. */
  page: { pausesMs: [100, 500, 900, 900, 1200, 3300, 5700], laterMs: 15_000 },
  /** Within the limit of a route, which ends the last attempt. */
  chunk: { pausesMs: [150, 600] },
  /** Then the user is asked. */
  form: { pausesMs: [400] },
  /** Code that awaits a call learns of a failure within three seconds. */
  awaitedCall: { pausesMs: [400, 700, 1300] },
  /** The import of the code is repeated by the policy `chunk` already. */
  actionsCode: { pausesMs: [] },
} satisfies Record<string, RetryPolicy>

/** The longest pause that a server can ask for. */
const longestRetryAfterMs = 3000
/** A failure that ends within this time shows no notice. */
const quietMs = 1000

export type Retries = ReturnType<typeof createRetries>

/** Counts how often something has failed, and tells when it is tried again. */
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
    /** Before the next attempt, once one has failed; `null` when the policy has no other one. */
    pauseMs(): number | null {
      const longestMs = pausesMs[failures - 1] ?? laterMs
      return longestMs === undefined ? null : Math.max(longestMs * (1 - random() / 5), minPauseMs)
    },
    /** True if the first failure was less than a second ago: nothing is shown yet. */
    isQuiet: () => !isNoticed && now() - firstAtMs < quietMs,
    /** A notice is shown: further failures change the notice. */
    endQuiet(): void {
      isNoticed = true
    },
  }
}

// Request timeout, too early, too many requests
const busy: ReadonlySet<number> = new Set([408, 425, 429])

/** True for a status of 4xx that is about the request, and not about the moment. */
export function isLastingRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !busy.has(status)
}

/** How `retry` repeats an attempt. */
export type RetryOptions = {
  readonly retries: Retries
  readonly signal?: AbortSignal
  /** Tells whether another attempt may fare better; always when left out. */
  readonly isWorthIt?: (error: unknown) => boolean
  /** Called when the policy has no other attempt. @returns whether to try again at once */
  readonly onExhausted?: (error: unknown) => boolean | Promise<boolean>
}

/**
 * Repeats an attempt until it succeeds, with the pauses of a policy.
 * @param attempt gets the number of failures
 * @throws the last error, when no attempt is left or worth it; the signal's reason when it aborts
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
 * Counts a failure, and waits for the pause that follows it.
 * @returns false when there shall be no other attempt
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

/** Waits; not longer than until the browser is online again, or the signal aborts. */
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

/** Heartbeats alone put a deadline off to so many times its silence. */
const heartbeatLimit = 3

/** `setTimeout` takes no longer times. */
const noCapMs = 2 ** 31 - 1

/** Creates a deadline that counts silence. What goes on arriving is late at the hard cap only. */
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
  /** Something new has arrived: the limit begins again. Heartbeats alone count three times only. */
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
