/** What may fail with the disk is run by it, and the log says once that it fails. */
export type DegradedMode = ReturnType<typeof createDegradedMode>

/** @param what begins the line, as `The cache in /data` does */
export function createDegradedMode(what: string, log: (line: string) => void) {
  let isDegraded = false

  /** @returns the fallback when it failed */
  async function attempt<T>(fallback: T, run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!isDegraded) log(`${what} can't be written: ${reason}. ${meanwhile}`)
      isDegraded = true
      return fallback
    }
  }

  return {
    try: attempt,
    /** The same for what shows by its success that the disk works again. */
    write: (run: () => Promise<void>): Promise<boolean> =>
      attempt(false, async () => {
        await run()
        if (isDegraded) log(`${what} is written again.`)
        isDegraded = false
        return true
      }),
  }
}

const meanwhile = 'It goes on in the memory of each process.'
