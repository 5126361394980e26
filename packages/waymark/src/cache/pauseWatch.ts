/** Detects pauses in which the process could not read the invalidations of other processes. */
export type PauseWatch = ReturnType<typeof createPauseWatch>

/**
 * Detects by a late timer that the host or a signal has frozen the process. A frozen process has not read the
 * invalidations of other processes, or has lost them with its connection.
 * @param maxGapMs milliseconds between two calls of `look` that count as a pause if they are exceeded
 */
export function createPauseWatch(maxGapMs: number, now: () => number = () => Date.now()) {
  let seenAtMs = now()
  let pauses = 0
  let caughtUp = 0
  return {
    /** Called by a driver's timer and by `isBehind()`. @returns true after a pause, until `caughtUp()` */
    look(): boolean {
      const nowMs = now()
      // Compare the absolute difference, because a clock that was set back hides how long the pause was.
      if (Math.abs(nowMs - seenAtMs) > maxGapMs) pauses++
      seenAtMs = nowMs
      return pauses > caughtUp
    },
    /** Number of the latest pause. */
    latest: () => pauses,
    /** Ends a pause, and all earlier pauses. */
    caughtUp(pause: number): void {
      caughtUp = Math.max(caughtUp, pause)
    },
  }
}
