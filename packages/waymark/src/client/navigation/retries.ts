import { trace } from '../../shared/trace.ts'
import { NoPageData } from './fetchPage.ts'
import { BrokenPayload } from './verifiedStream.ts'

/**
 * Pauses between requests that fail at once, shortened by jitter: eight requests in ten seconds,
 * with the probe that goes before a notice.
 */
const pausesMs = [100, 500, 900, 900, 1200, 3300, 5700]
const longestPauseMs = 15_000
/** The longest pause that a server can ask for. */
const longestRetryAfterMs = 3000
/** What is over by then leaves no notice. */
const quietMs = 1000

/** How often something has failed, and when it is tried again. */
export type Retries = {
  /** Counts a failure. */
  fail(error: unknown): void
  readonly failures: number
  /** Before the next attempt, once one has failed. */
  pauseMs(): number
  /** Whether it began to fail only a moment ago: nothing is shown yet. */
  isQuiet(): boolean
  /** A notice is shown: further failures change it. */
  endQuiet(): void
}

/** Creates the count of a navigation's failures. */
export function createRetries(now: () => number, random: () => number = Math.random): Retries {
  let failures = 0
  let firstAtMs = now()
  let retryAfterMs = 0
  let isNoticed = false
  return {
    get failures() {
      return failures
    },
    fail(error) {
      if (failures++ === 0) firstAtMs = now()
      retryAfterMs = error instanceof NoPageData ? error.retryAfterMs : 0
    },
    pauseMs() {
      const longestMs = pausesMs[failures - 1] ?? longestPauseMs
      const asked = Math.min(retryAfterMs, longestRetryAfterMs)
      return Math.max(longestMs * (1 - random() / 5), asked)
    },
    isQuiet: () => !isNoticed && now() - firstAtMs < quietMs,
    endQuiet() {
      isNoticed = true
    },
  }
}

/** Waits; not longer than until the browser is online again, or the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const ended = new AbortController()
    const end = () => {
      clearTimeout(timer)
      ended.abort()
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { signal: ended.signal })
    globalThis.addEventListener?.('online', end, { signal: ended.signal })
  })
}

/**
 * Tells whether the same request may fare better in a moment: a connection broke, or a gateway had
 * no server.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof NoPageData) return error.isTransient
  // React's decoder throws what JSON.parse throws for a row that was changed on its way.
  return error instanceof BrokenPayload || error instanceof SyntaxError
}

/**
 * Waits until what failed may be tried again.
 * @throws the error, where another try is no use, or it has failed for so long that the user is to
 *   know
 */
export async function waitToRetry(
  error: unknown,
  retries: Retries,
  signal: AbortSignal,
): Promise<void> {
  retries.fail(error)
  if (signal.aborted || !isTransient(error) || !retries.isQuiet()) throw error
  if (import.meta.env.DEV) {
    const reason = error instanceof Error ? error.name : 'unknown'
    trace({ type: 'retry', failures: retries.failures, reason })
  }
  await pause(retries.pauseMs(), signal)
  signal.throwIfAborted()
}
