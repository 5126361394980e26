/** What stands in place of a value that did not come in time. */
export const timedOut = Symbol('timed out')

/**
 * Waits for a promise, but not for ever. What comes too late is dropped, a rejection included.
 * @returns its value, or `timedOut`
 */
export function withDeadline<T>(promise: PromiseLike<T>, ms: number): Promise<T | typeof timedOut> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => resolve(timedOut), ms)
    const end =
      <Given>(settle: (given: Given) => void) =>
      (given: Given) => {
        clearTimeout(deadline)
        settle(given)
      }
    promise.then(end(resolve), end(reject))
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
