/** Options of `createConcurrencyLimit()`. */
export type ConcurrencyLimitOptions = {
  /** Maximum number of functions that run at once, at least 1. */
  readonly running: number
  /** Maximum number of functions that wait. 0 to let none wait. */
  readonly waiting: number
}

/**
 * Creates a function that runs a limited number of functions at a time, such as slow password hashes. The others wait in
 * order.
 * @returns a function that returns the result, or `null` at once if too many functions are waiting
 * @throws if an option is invalid
 */
export function createConcurrencyLimit({
  running,
  waiting,
}: ConcurrencyLimitOptions): <T>(run: () => Promise<T>) => Promise<T | null> {
  // With 0, which a calculation can return on a small machine, nothing would ever run.
  assertWhole('running', running, 1)
  assertWhole('waiting', waiting, 0)
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

function assertWhole(name: string, value: number, min: number): void {
  if (Number.isSafeInteger(value) && value >= min) return
  throw new Error(
    `createConcurrencyLimit() got ${name}: ${value}. Pass a whole number of at least ${min}.`,
  )
}
