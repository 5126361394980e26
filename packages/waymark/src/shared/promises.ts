import { neverThrows } from './neverThrows.ts'

/** What stands in place of a value that did not come in time. */
export const timedOut = Symbol('timed out')

/**
 * Waits for a promise, but not for ever. What comes too late is dropped, a rejection included.
 * @param signal ends the wait sooner
 * @returns its value, or `timedOut`
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
    const deadline = setTimeout(giveUp, ms)
    signal?.addEventListener('abort', giveUp)
    if (signal?.aborted) giveUp()
    const settle =
      <Given>(done: (given: Given) => void) =>
      (given: Given) => {
        end()
        done(given)
      }
    promise.then(settle(resolve), settle(reject))
  })
}

/**
 * Tells whether something can be waited for: a promise of any kind, as React and `await` ask for
 * it. A query builder is one, and no `Promise`.
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { readonly then?: unknown }).then === 'function'
  )
}
