/** What takes its time while a request is answered. */
export type TimedStep = 'proxy' | 'match' | 'render' | 'html'

/** Times of one request, in development. */
export type Timings = {
  /** @returns ends the step; steps of one name are added up */
  start(step: TimedStep): () => void
  /** The value of a `Server-Timing` header: what has ended so far, and the whole. */
  header(): string
}

/**
 * Makes the times of a request that begins now.
 * @param now milliseconds, of a clock that is not set back
 * @see W3C Server Timing §3.2
 */
export function createTimings(now: () => number = () => performance.now()): Timings {
  const beganAtMs = now()
  const durations = new Map<string, number>()
  return {
    start(step) {
      const startedAtMs = now()
      return () => durations.set(step, (durations.get(step) ?? 0) + now() - startedAtMs)
    },
    header() {
      const all = [...durations, ['total', now() - beganAtMs] as const]
      return all.map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`).join(', ')
    },
  }
}
