/** Runs what may fail with the disk, and says so once. */
export type DegradedMode = {
  /** @returns the fallback when it failed */
  try<T>(fallback: T, run: () => Promise<T>): Promise<T>
  /** The same for what shows by its success that the trouble is over. */
  write(run: () => Promise<void>): Promise<boolean>
}

/** @param what begins the line, as `The cache in /data` does */
export function createDegradedMode(what: string, log: (line: string) => void): DegradedMode {
  let isInTrouble = false

  function failed(error: unknown): void {
    if (isInTrouble) return
    isInTrouble = true
    const reason = error instanceof Error ? error.message : String(error)
    log(`${what} can't be written: ${reason}. It goes on in the memory of each process.`)
  }

  async function attempt<T>(fallback: T, run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      failed(error)
      return fallback
    }
  }

  return {
    try: attempt,
    async write(run) {
      const isWritten = await attempt(false, async () => {
        await run()
        return true
      })
      if (isWritten && isInTrouble) {
        isInTrouble = false
        log(`${what} is written again.`)
      }
      return isWritten
    },
  }
}
