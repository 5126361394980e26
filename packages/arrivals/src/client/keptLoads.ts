import { keepItem, keysOf } from './keepItem.ts'

export const beaconsKey = 'waymark-arrivals:'

/**
 * What could not be sent, in the browser's storage.
 * @param storage throws where the browser allows none: then nothing is kept
 * @param prefix of the items' keys
 */
export function createKeptList<Item>(storage: () => Storage, prefix: string) {
  return {
    keep: (item: Item): void => keepItem(storage, prefix, item),
    /** Takes the oldest out. */
    take(): Item | undefined {
      try {
        const [oldest] = keysOf(storage(), prefix).sort()
        if (oldest === undefined) return undefined
        const text = storage().getItem(oldest)
        // Before it is given out: where this throws, it would be taken twice.
        storage().removeItem(oldest)
        return JSON.parse(text ?? 'null')
      } catch {
        // Not allowed, or changed by other code: what follows is taken the next time.
        return undefined
      }
    },
  }
}
