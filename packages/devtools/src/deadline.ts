/** Returned by `withDeadline` if the promise takes too long. */
export const timedOut = Symbol('timed out')

/**
 * Waits for a promise, at most for a number of milliseconds. A later value or rejection is ignored.
 */
export function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T | typeof timedOut> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(timedOut), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
