import type { CacheDriver, Invalidation, InvalidationMode } from './driver.ts'
import { createTagClock, type TagClock } from './tagMarks.ts'

/** What a process has heard of invalidations, its own and those of others. */
export type InvalidationState = Pick<CacheDriver, 'onInvalidated'> &
  Pick<TagClock, 'freshness'> & {
    /** Takes one of this process's own. */
    own(tags: readonly string[], mode: InvalidationMode, position: number): void
    /** Takes one of another process, and tells the listeners what was not heard before. */
    others(tags: Invalidation['tags'], mode: InvalidationMode, position: number): void
  }

/** Makes one that has heard of nothing. */
export function createInvalidationState(): InvalidationState {
  const marks = createTagClock()
  const listeners = new Set<(invalidation: Invalidation) => void>()
  return {
    freshness: marks.freshness,
    own: marks.mark,
    others(tags, mode, position) {
      const unheard = marks.mark(tags, mode, position)
      if (unheard.length === 0) return
      for (const listener of listeners) listener({ tags: unheard, mode })
    },
    onInvalidated(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
