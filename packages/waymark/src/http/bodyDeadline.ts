/**
 * Slowest average rate of a body. A body that arrives faster gets more time for each byte, so a timer never cuts an
 * upload on a slow connection: 2G reaches about 5 kB/s.
 */
const minBytesPerSecond = 4_000

/** Progress of a body. Times are in milliseconds, on one clock. */
export type BodyProgress = {
  readonly startedAtMs: number
  /** Time at which the last byte arrived. */
  readonly progressedAtMs: number
  readonly receivedBytes: number
}

/**
 * Returns the time at which to give up on a body. A body that stalls for `withinMs` has failed, and so has a body
 * that took `withinMs` and is slower than 4 kB/s on average. A client that sends one byte at a time therefore gains
 * nothing.
 */
export function bodyDueMs(
  { startedAtMs, progressedAtMs, receivedBytes }: BodyProgress,
  withinMs: number,
): number {
  const rateDueMs = startedAtMs + withinMs + (receivedBytes / minBytesPerSecond) * 1_000
  return Math.min(rateDueMs, progressedAtMs + withinMs)
}
