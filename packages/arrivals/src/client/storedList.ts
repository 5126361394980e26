import { storeItem } from './storeItem.ts'

export const beaconsKey = 'waymark-arrivals'

/**
 * Creates a list in the browser's storage for items that could not be sent.
 * @param storage throws if the browser blocks storage; nothing is then stored
 */
export function createStoredList<Item>(storage: () => Storage, key: string) {
  function read(): readonly Item[] {
    try {
      const items = JSON.parse(storage().getItem(key) ?? '[]')
      return Array.isArray(items) ? items : []
    } catch {
      // The storage is blocked, or other code changed it.
      return []
    }
  }
  return {
    keep: (item: Item): void => storeItem(storage, key, item),
    /** Removes the oldest item and returns it. */
    take(): Item | undefined {
      const [oldest, ...others] = read()
      try {
        if (others.length === 0) storage().removeItem(key)
        else storage().setItem(key, JSON.stringify(others))
        return oldest
      } catch {
        // The item stays in the list. Returning it would take it twice.
        return undefined
      }
    },
  }
}
