import type { LoadEvent } from './loadTracker.ts'

/** A document that was closed before its loads could be counted. */
export type ClosedDocument = {
  readonly pathname: string
  /** Time of the first paint; `null` if nothing was painted. */
  readonly paintedAtMs: number | null
  readonly endedAtMs: number
  /** Router events, with times in milliseconds since the document's time origin. */
  readonly events: readonly (readonly [event: LoadEvent, atMs: number])[]
  /** Milliseconds since the epoch. */
  readonly timeOrigin: number
}

export const closedDocumentsKey = 'waymark-arrivals-early'

/** If there are more items, the oldest ones are dropped. */
const maxItems = 20

/**
 * Adds an item to a list in the browser's storage. This code is separate from the code that reads the
 * list, because each page loads the code for adding items before the browser is idle.
 * @param storage throws if the browser blocks storage; the item is then dropped
 */
export function storeItem(storage: () => Storage, key: string, item: unknown): void {
  try {
    const items = JSON.parse(storage().getItem(key) ?? '[]')
    storage().setItem(key, JSON.stringify([...items, item].slice(-maxItems)))
  } catch {
    // Drop the item if storage is full or blocked, or if other code has changed the stored list.
  }
}
