type Limit = { readonly running: number; readonly waiting: number }

/**
 * Creates a function that runs at most `running` calls at once. Further calls wait in order.
 * @returns `null` immediately if `waiting` calls are waiting already
 */
export function createConcurrencyLimit({ running, waiting }: Limit) {
  const queue: (() => void)[] = []
  let free = running
  return async <T>(run: () => Promise<T>): Promise<T | null> => {
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
