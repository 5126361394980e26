import type { LoadEvent } from './loadTracker.ts'

/** A document that was closed before its loads could be counted. */
export type EarlyEnd = {
  readonly pathname: string
  /** First paint; `null` when there was none. */
  readonly shownAtMs: number | null
  readonly endedAtMs: number
  /** What the router told by then, with times; milliseconds since the document's own time origin. */
  readonly events: readonly (readonly [event: LoadEvent, atMs: number])[]
  /** Milliseconds since the epoch. */
  readonly timeOrigin: number
}

export const earlyEndsKey = 'waymark-arrivals-early:'

/** Further ones are lost. */
const maxKept = 20

/**
 * Keeps an item in the browser's storage. Each has a key of its own: tabs do not see at once what others
 * write, and of a common list one would overwrite what the other has added. Apart from what reads them:
 * each page loads this before it is idle.
 * @param storage throws where the browser allows none: then nothing is kept
 */
export function keepItem(storage: () => Storage, prefix: string, item: unknown): void {
  try {
    if (keysOf(storage(), prefix).length < maxKept)
      storage().setItem(prefix + Date.now() + Math.random(), JSON.stringify(item))
  } catch {
    // Full, or not allowed: it is lost.
  }
}

export const keysOf = (storage: Storage, prefix: string): string[] =>
  Object.keys(storage).filter((key) => key.startsWith(prefix))
