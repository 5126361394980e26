import type { LoadEvent } from './loadTracker.ts'

/** A list in the browser's storage, of what could not be sent. */
export type KeptList<Item> = {
  keep(item: Item): void
  /** Takes the oldest out. */
  take(): Item | undefined
}

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

export const beaconsKey = 'waymark-arrivals'
export const earlyEndsKey = 'waymark-arrivals-early'

/** The oldest are lost. */
const maxKept = 20

/** @param storage throws where the browser allows none: then nothing is kept */
export function createKeptList<Item>(storage: () => Storage, key: string): KeptList<Item> {
  function read(): readonly Item[] {
    try {
      const items = JSON.parse(storage().getItem(key) ?? '[]')
      return Array.isArray(items) ? items : []
    } catch {
      // Not allowed, or changed by other code.
      return []
    }
  }
  function write(items: readonly Item[]): boolean {
    try {
      if (items.length === 0) storage().removeItem(key)
      else storage().setItem(key, JSON.stringify(items))
      return true
    } catch {
      return false
    }
  }
  return {
    // Full, or not allowed: it is lost.
    keep: (item) => void write([...read(), item].slice(-maxKept)),
    take() {
      const [oldest, ...others] = read()
      return write(others) ? oldest : undefined
    },
  }
}
