import { neverThrows } from './neverThrows.ts'

/** Value that `withDeadline()` returns if the promise takes too long. */
export const timedOut = Symbol('timed out')

// Maximum delay of a timer. A timer with a longer delay fires at once.
const maxTimerMs = 2 ** 31 - 1

/**
 * Waits for a promise, but at most for `ms`, and drops a late result.
 * @param ms milliseconds; may be infinite
 * @param signal ends the wait earlier
 */
export function withDeadline<T>(
  promise: PromiseLike<T>,
  ms: number,
  signal?: AbortSignal,
): Promise<T | typeof timedOut> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(deadline)
      signal?.removeEventListener('abort', giveUp)
    }
    const giveUp = neverThrows(() => {
      end()
      resolve(timedOut)
    }, undefined)
    const deadline = setTimeout(giveUp, Math.min(ms, maxTimerMs))
    signal?.addEventListener('abort', giveUp)
    if (signal?.aborted) giveUp()
    const settle =
      <Outcome>(done: (outcome: Outcome) => void) =>
      (outcome: Outcome) => {
        end()
        done(outcome)
      }
    promise.then(settle(resolve), settle(reject))
  })
}

/** True for any thenable, such as a query builder. React and `await` accept all of them. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { readonly then?: unknown }).then === 'function'
  )
}
