/** The value of `withDeadline` in place of one that came too late. */
export const timedOut = Symbol('timed out')

/** Waits for a promise, but no longer than `ms`. Ignores a later value or rejection. */
export function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T | typeof timedOut> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(timedOut), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
