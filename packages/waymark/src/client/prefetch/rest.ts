import type { PrefetchResponse } from './fetchAhead.ts'

/** So many failures in a row are no accident: all prefetching rests. */
const failuresToRest = 3
const restMs = 30_000

/** Times without prefetching: asked for by the server, or because all fails. */
export type Backoff = {
  isOn(): boolean
  /** Hears of what came. */
  note(answer: PrefetchResponse): void
  /** How often the server has asked for one. */
  refused(): number
}

/** Makes the rest of a document's prefetching. */
export function createBackoff(now: () => number): Backoff {
  let untilMs = 0
  let failures = 0
  let refused = 0
  return {
    isOn: () => now() < untilMs,
    note(answer) {
      failures = answer.kind === 'failed' ? failures + 1 : 0
      if (failures >= failuresToRest) untilMs = now() + restMs
      if (answer.kind !== 'rest') return
      refused++
      untilMs = now() + answer.forMs
    },
    refused: () => refused,
  }
}
