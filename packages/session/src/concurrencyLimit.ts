/** Options of `createConcurrencyLimit()`. */
export type ConcurrencyLimit = {
  /** Maximum number of functions that run at once. */
  readonly running: number
  /** Maximum number of functions that wait. */
  readonly waiting: number
}

/**
 * Creates a function that runs a limited number of functions at a time, such as slow password hashes. The others wait in
 * order.
 * @returns a function that returns the result, or `null` at once if too many functions are waiting
 */
export function createConcurrencyLimit({
  running,
  waiting,
}: ConcurrencyLimit): <T>(run: () => Promise<T>) => Promise<T | null> {
  const queue: (() => void)[] = []
  let free = running
  return async (run) => {
    if (free > 0) free -= 1
    else if (queue.length >= waiting) return null
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await run()
    } finally {
      const next = queue.shift()
      if (next) next()
      else free += 1
    }
  }
}
