/** Runs disk operations, and logs once that the disk fails. */
export type DegradedMode = ReturnType<typeof createDegradedMode>

/** @param what subject of the log line: `The cache in /data` */
export function createDegradedMode(what: string, log: (line: string) => void) {
  let isDegraded = false

  /** @returns the fallback after an error */
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
    /** Its success shows that the disk works again. */
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
