/** Value that `withDeadline` returns if the promise takes too long. */
export const timedOut = Symbol('timed out')

/**
 * Waits for a promise for a limited number of milliseconds. Ignores a value or rejection that comes
 * later.
 */
export function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T | typeof timedOut> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(timedOut), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
