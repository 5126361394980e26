import { keepItem } from './keepItem.ts'

/** A list in the browser's storage, of what could not be sent. */
export type KeptList<Item> = {
  keep(item: Item): void
  /** Takes the oldest out. */
  take(): Item | undefined
}

export const beaconsKey = 'waymark-arrivals'

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
    keep: (item) => keepItem(storage, key, item),
    take() {
      const [oldest, ...others] = read()
      try {
        if (others.length === 0) storage().removeItem(key)
        else storage().setItem(key, JSON.stringify(others))
        return oldest
      } catch {
        return undefined
      }
    },
  }
}
