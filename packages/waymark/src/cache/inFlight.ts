/** Promises that have not settled yet. */
export type InFlight = {
  /** Gives the promise back. */
  add<T>(promise: Promise<T>): Promise<T>
  /** Resolves once those of now have settled, well or not; `null` if there are none. */
  settled(): Promise<unknown> | null
}

/** Makes it, empty. */
export function createInFlight(): InFlight {
  const pending = new Set<Promise<unknown>>()
  return {
    add(promise) {
      pending.add(promise)
      const remove = () => pending.delete(promise)
      promise.then(remove, remove)
      return promise
    },
    settled: () => (pending.size > 0 ? Promise.allSettled(pending) : null),
  }
}
