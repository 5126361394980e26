/** A list in the browser's storage, of what could not be sent. */
export type KeptList<Item> = {
  keep(items: readonly Item[]): void
  /** Takes all out, so that no other tab sends them, too. */
  take(): readonly Item[]
}

/** A document that was closed before its loads could be counted. */
export type EarlyEnd = {
  readonly pathname: string
  readonly ms: number
  readonly isShown: boolean
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
  return {
    keep(items) {
      try {
        storage().setItem(key, JSON.stringify([...read(), ...items].slice(-maxKept)))
      } catch {
        // Full, or not allowed: these are lost.
      }
    },
    take() {
      const items = read()
      try {
        storage().removeItem(key)
        return items
      } catch {
        // Not allowed: there is none.
        return []
      }
    },
  }
}
