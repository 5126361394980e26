/** The pages that this process has kept beside those of the build. */
export type LruSet = { add(key: string): void }

const maxFilled = 10_000

/**
 * Makes an empty list, bounded: whoever asks for a million URLs of one route must not fill the
 * store that the others share.
 * @param onFull removes the page that was rendered longest ago
 */
export function createLruSet(onFull: (key: string) => void, max = maxFilled): LruSet {
  const keys = new Set<string>()
  return {
    add(key) {
      keys.delete(key)
      keys.add(key)
      const [oldest] = keys
      if (keys.size <= max || oldest === undefined) return
      keys.delete(oldest)
      onFull(oldest)
    },
  }
}
