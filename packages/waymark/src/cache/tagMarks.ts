import type { CacheEntry, InvalidationMode } from './driver.ts'
import type { Freshness } from './freshness.ts'

/** When tags were invalidated, in positions of a driver. */
export type TagClock = {
  /** @returns those that were not marked so, or later, before */
  mark(
    tags: readonly string[] | 'all',
    mode: InvalidationMode,
    position: number,
  ): readonly string[] | 'all'
  /** What its tags say about an entry. */
  freshness(entry: Pick<CacheEntry, 'tags' | 'position'>): Freshness
}

type TagMark = { stale: number; expired: number }

/**
 * Makes an empty set of marks, bounded: where there is no room for the oldest one any more, all
 * that is older than it counts as marked, whatever its tags.
 */
export function createTagClock(maxTags = 100_000): TagClock {
  // The one marked last stands at the end.
  const marks = new Map<string, TagMark>()
  const everything: TagMark = { stale: 0, expired: 0 }

  // A hundredth at once: a Map keeps the gaps at its front, and looks through them each time.
  function forgetOldest(): void {
    let left = Math.ceil(maxTags / 100)
    for (const [tag, { stale, expired }] of marks) {
      if (left-- === 0) return
      marks.delete(tag)
      everything.stale = Math.max(everything.stale, stale)
      everything.expired = Math.max(everything.expired, expired)
    }
  }

  return {
    mark(tags, mode, position) {
      if (tags === 'all') {
        if (everything[mode] >= position) return []
        everything[mode] = position
        return 'all'
      }
      const marked: string[] = []
      for (const tag of tags) {
        const mark = marks.get(tag) ?? { stale: 0, expired: 0 }
        if (mark[mode] >= position) continue
        mark[mode] = position
        marked.push(tag)
        marks.delete(tag)
        marks.set(tag, mark)
        if (marks.size > maxTags) forgetOldest()
      }
      return marked
    },
    freshness({ tags, position }) {
      let isStale = everything.stale > position
      if (everything.expired > position) return 'expired'
      for (const tag of tags) {
        const mark = marks.get(tag)
        if (!mark) continue
        if (mark.expired > position) return 'expired'
        isStale ||= mark.stale > position
      }
      return isStale ? 'stale' : 'fresh'
    },
  }
}
