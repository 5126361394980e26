import type { Load } from '../shared/load.ts'

/** A load of this document that has ended. */
export type Arrival = Load & {
  /** Milliseconds since the epoch. */
  readonly endedAtMs: number
}

const maxRecent = 50

export const recentArrivals = createRecentArrivals()

/** Stores the latest loads, newest first. Each load creates a new list. */
function createRecentArrivals() {
  let list: readonly Arrival[] = []
  const listeners = new Set<() => void>()
  return {
    list: () => list,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    add(load: Load): void {
      list = [{ ...load, endedAtMs: Date.now() }, ...list.slice(0, maxRecent - 1)]
      for (const listener of listeners) listener()
    },
  }
}
