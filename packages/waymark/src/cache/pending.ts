import type { CacheEntry, InvalidationMode } from './driver.ts'
import type { Freshness } from './freshness.ts'

/** Invalidations that other processes could not be told of yet. */
export type Pending = {
  add(tags: readonly string[], mode: InvalidationMode): void
  /** Tells them, some at a time, until one of them can't be told. */
  tell(to: (tags: readonly string[], mode: InvalidationMode) => Promise<boolean>): Promise<void>
  /** What its tags say about an entry. */
  freshness(entry: Pick<CacheEntry, 'tags'>): Freshness
}

// In bounds, should Redis be away, or a disk be full, for days.
const maxPending = 100_000
const atOnce = 1_000

/** Makes a list of them, empty. */
export function createPending(): Pending {
  const pending = new Map<string, InvalidationMode>()

  function some(): { tags: string[]; mode: InvalidationMode } | null {
    const [first] = pending
    if (!first) return null
    const [, mode] = first
    const alike = [...pending].filter(([, each]) => each === mode).slice(0, atOnce)
    return { tags: alike.map(([tag]) => tag), mode }
  }

  return {
    add(tags, mode) {
      for (const tag of tags) {
        if (pending.size < maxPending && pending.get(tag) !== 'expired') pending.set(tag, mode)
      }
    },
    async tell(to) {
      for (let next = some(); next && (await to(next.tags, next.mode)); next = some()) {
        for (const tag of next.tags) pending.delete(tag)
      }
    },
    freshness({ tags }) {
      if (pending.size === 0) return 'fresh'
      const found = tags.map((tag) => pending.get(tag))
      return found.includes('expired') ? 'expired' : found.includes('stale') ? 'stale' : 'fresh'
    },
  }
}
