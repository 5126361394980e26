import type { LoadEvent } from './loadTracker.ts'

/** A document that was closed before its loads could be counted. */
export type ClosedDocument = {
  readonly pathname: string
  /** First paint; `null` when there was none. */
  readonly shownAtMs: number | null
  readonly endedAtMs: number
  /** What the router told by then, with times; milliseconds since the document's own time origin. */
  readonly events: readonly (readonly [event: LoadEvent, atMs: number])[]
  /** Milliseconds since the epoch. */
  readonly timeOrigin: number
}

export const closedDocumentsKey = 'waymark-arrivals-early'

/** The oldest are lost. */
const maxItems = 20

/**
 * Adds an item to a list in the browser's storage. Apart from what reads the list: each page loads this
 * before it is idle.
 * @param storage throws where the browser allows none: then nothing is kept
 */
export function storeItem(storage: () => Storage, key: string, item: unknown): void {
  try {
    const items = JSON.parse(storage().getItem(key) ?? '[]')
    storage().setItem(key, JSON.stringify([...items, item].slice(-maxItems)))
  } catch {
    // Full, not allowed, or changed by other code: it is lost.
  }
}
