import type { CacheEntry, InvalidationMode } from '../driver.ts'
import type { Freshness } from '../freshness.ts'

// In bounds, should Redis be away for days.
const maxPending = 100_000

/** Makes a list of tags that the others were not told of. */
export function createPending() {
  const pending = new Map<string, InvalidationMode>()
  return {
    add(tags: readonly string[], mode: InvalidationMode): void {
      for (const tag of tags) {
        if (pending.size < maxPending && pending.get(tag) !== 'expired') pending.set(tag, mode)
      }
    },
    ofMode: (mode: InvalidationMode): string[] =>
      [...pending].flatMap(([tag, each]) => (each === mode ? tag : [])),
    delete(tags: readonly string[]): void {
      for (const tag of tags) pending.delete(tag)
    },
    freshness({ tags }: CacheEntry): Freshness {
      if (pending.size === 0) return 'fresh'
      const found = tags.map((tag) => pending.get(tag))
      return found.includes('expired') ? 'expired' : found.includes('stale') ? 'stale' : 'fresh'
    },
  }
}
