import type { CacheDriver, CacheEntry, Invalidation, InvalidationMode } from './cacheDriver.ts'
import type { Freshness } from './cacheEntry.ts'

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

/** Invalidations that other processes could not be told of yet. */
export type InvalidationOutbox = {
  add(tags: readonly string[], mode: InvalidationMode): void
  /** Tells them, some at a time, until one of them can't be told; once at a time. */
  tell(to: (tags: readonly string[], mode: InvalidationMode) => Promise<boolean>): Promise<void>
  /** What its tags say about an entry. */
  freshness(entry: Pick<CacheEntry, 'tags'>): Freshness
}

// In bounds, should Redis be away, or a disk be full, for days.
const maxPending = 100_000
const atOnce = 1_000

/** Makes a list of them, empty. */
export function createInvalidationOutbox(): InvalidationOutbox {
  // A mark of its own for each: what is added while it is told has to be told again.
  const pending = new Map<string, Mark>()
  let isTelling = false

  function some(): { marks: [string, Mark][]; mode: InvalidationMode } | null {
    const [first] = pending.values()
    if (!first) return null
    const marks = [...pending].filter(([, { mode }]) => mode === first.mode).slice(0, atOnce)
    return { marks, mode: first.mode }
  }

  return {
    add(tags, mode) {
      for (const tag of tags) {
        const isKnown = pending.has(tag)
        if (!isKnown && pending.size >= maxPending) continue
        pending.set(tag, { mode: pending.get(tag)?.mode === 'expired' ? 'expired' : mode })
      }
    },
    async tell(to) {
      if (isTelling) return
      isTelling = true
      try {
        for (let next = some(); next; next = some()) {
          const tags = next.marks.map(([tag]) => tag)
          if (!(await to(tags, next.mode))) return
          for (const [tag, mark] of next.marks) if (pending.get(tag) === mark) pending.delete(tag)
        }
      } finally {
        isTelling = false
      }
    },
    freshness({ tags }) {
      if (pending.size === 0) return 'fresh'
      const found = tags.map((tag) => pending.get(tag)?.mode)
      return found.includes('expired') ? 'expired' : found.includes('stale') ? 'stale' : 'fresh'
    },
  }
}

type Mark = { readonly mode: InvalidationMode }
