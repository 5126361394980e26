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
      // Return an empty list if storage is blocked or other code has changed the stored list.
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
        // Don't return an item that couldn't be removed, because the next call would return it again.
        return undefined
      }
    },
  }
}
