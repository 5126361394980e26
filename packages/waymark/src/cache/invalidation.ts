import type { CacheEntry, Invalidation, InvalidationMode } from './cacheDriver.ts'
import { type Freshness, staler } from './cacheEntry.ts'

type TagMark = { stale: number; expired: number }

/**
 * Creates a clock of tags: when each was invalidated, in positions of a driver. It is bounded:
 * where there is no room for the oldest mark any more, all that is older counts as marked,
 * whatever its tags.
 */
export function createTagClock(maxTags = 100_000) {
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
    /** @returns those that were not marked so, or later, before */
    mark(
      tags: readonly string[] | 'all',
      mode: InvalidationMode,
      position: number,
    ): readonly string[] | 'all' {
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
    /** What its tags say about an entry. */
    freshness({ tags, position }: Pick<CacheEntry, 'tags' | 'position'>): Freshness {
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

/** Notifies other processes of an invalidation. @returns false where that is not possible now */
export type NotifyOthers = (tags: readonly string[], mode: InvalidationMode) => Promise<boolean>

/** Creates the state of a driver that shares invalidations with other processes. */
export function createInvalidations(notifyOthers: NotifyOthers) {
  const clock = createTagClock()
  const outbox = createInvalidationOutbox(notifyOthers)
  const listeners = new Set<(invalidation: Invalidation) => void>()
  return {
    send: outbox.send,
    sendPending: outbox.sendPending,
    /** Adds one of this process, at its position. */
    addOwn: clock.mark,
    /** Adds one of another process, and notifies the listeners of what is new of it. */
    addOthers(tags: Invalidation['tags'], mode: InvalidationMode, position: number): void {
      const marked = clock.mark(tags, mode, position)
      if (marked.length === 0) return
      for (const listener of listeners) listener({ tags: marked, mode })
    },
    /** What its tags say about an entry. */
    freshness: (entry: Pick<CacheEntry, 'tags' | 'position'>): Freshness =>
      staler(clock.freshness(entry), outbox.freshness(entry)),
    onInvalidated(listener: (invalidation: Invalidation) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

// In bounds, should Redis be away, or a disk be full, for days.
const maxPending = 100_000
const atOnce = 1_000

/** Creates a list of the invalidations that other processes could not be notified of yet. */
export function createInvalidationOutbox(notifyOthers: NotifyOthers) {
  // A mark of its own for each: what is added while it is sent has to be sent again.
  const pending = new Map<string, { readonly mode: InvalidationMode }>()

  function add(tags: readonly string[], mode: InvalidationMode): void {
    for (const tag of tags) {
      if (!pending.has(tag) && pending.size >= maxPending) continue
      pending.set(tag, { mode: pending.get(tag)?.mode === 'expired' ? 'expired' : mode })
    }
  }

  async function sendPending(): Promise<void> {
    for (;;) {
      const [first] = pending.values()
      if (!first) return
      const { mode } = first
      const marks = [...pending].filter(([, mark]) => mark.mode === mode).slice(0, atOnce)
      const tags = marks.map(([tag]) => tag)
      if (!(await notifyOthers(tags, mode))) return
      for (const [tag, mark] of marks) if (pending.get(tag) === mark) pending.delete(tag)
    }
  }

  return {
    /** Notifies the others, or leaves it for later. */
    async send(tags: readonly string[], mode: InvalidationMode): Promise<void> {
      if (!(await notifyOthers(tags, mode))) add(tags, mode)
    },
    /** Sends what was left, some at a time, until some of it can't be sent. */
    sendPending: oneAtATime(sendPending),
    /** What the tags of an entry say about it that the others do not know yet. */
    freshness({ tags }: Pick<CacheEntry, 'tags'>): Freshness {
      if (pending.size === 0) return 'fresh'
      const found = tags.map((tag) => pending.get(tag)?.mode)
      return found.includes('expired') ? 'expired' : found.includes('stale') ? 'stale' : 'fresh'
    },
  }
}

/** Joins calls of a function to the run that is under way. */
export function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= run().finally(() => {
      running = null
    })
    return running
  }
}
