import { storeItem } from './storeItem.ts'

export const beaconsKey = 'waymark-arrivals'

/**
 * A list in the browser's storage, of what could not be sent.
 * @param storage throws where the browser allows none: then nothing is kept
 */
export function createStoredList<Item>(storage: () => Storage, key: string) {
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
    keep: (item: Item): void => storeItem(storage, key, item),
    /** Takes the oldest out. */
    take(): Item | undefined {
      const [oldest, ...others] = read()
      try {
        if (others.length === 0) storage().removeItem(key)
        else storage().setItem(key, JSON.stringify(others))
        return oldest
      } catch {
        // It stays in the list, and would be taken twice.
        return undefined
      }
    },
  }
}
