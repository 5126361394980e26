import type { CacheEntry, Invalidation, InvalidationMode } from './cacheDriver.ts'
import { type Freshness, staler } from './cacheEntry.ts'

type TagMark = { stale: number; expired: number }

/**
 * Stores a mark for each invalidated tag, with the time of the invalidation. If there are too many,
 * the oldest marks are dropped, and entries that are older than a dropped mark count as
 * invalidated.
 */
export function createTagClock(maxTags = 100_000) {
  // Marks by tag, newest last.
  const marks = new Map<string, TagMark>()
  const everything: TagMark = { stale: 0, expired: 0 }

  // Removes 1/100 of all marks at once. A Map doesn't close gaps at its front, and would scan them
  // for each removal.
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
    /** Marks tags as invalidated. @returns the tags that had no equal or newer mark */
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

/** Notifies other processes of an invalidation. @returns false if that isn't possible now */
export type NotifyOthers = (tags: readonly string[], mode: InvalidationMode) => Promise<boolean>

export function createInvalidations(notifyOthers: NotifyOthers) {
  const clock = createTagClock()
  const outbox = createInvalidationOutbox(notifyOthers)
  const listeners = new Set<(invalidation: Invalidation) => void>()
  return {
    send: outbox.send,
    sendPending: outbox.sendPending,
    addOwn: clock.mark,
    /**
     * Adds a different process's invalidation, and notifies listeners of newly invalidated tags.
     */
    addOthers(tags: Invalidation['tags'], mode: InvalidationMode, position: number): void {
      const marked = clock.mark(tags, mode, position)
      if (marked.length === 0) return
      for (const listener of listeners) listener({ tags: marked, mode })
    },
    freshness: (entry: Pick<CacheEntry, 'tags' | 'position'>): Freshness =>
      staler(clock.freshness(entry), outbox.freshness(entry)),
    onInvalidated(listener: (invalidation: Invalidation) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

// Maximum number of pending tags. It limits the memory if Redis is unreachable, or the disk is
// full, for days.
const maxPending = 100_000
const atOnce = 1_000

// Time after which a call no longer waits for a different call that sends.
const sendMs = 5_000

/** Stores invalidations until other processes have been notified of them. */
export function createInvalidationOutbox(notifyOthers: NotifyOthers) {
  // Create a new object for each invalidation. If an app invalidates a tag again before other
  // processes know, the tag has a different object, so the tag is sent again.
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
    async send(tags: readonly string[], mode: InvalidationMode): Promise<void> {
      if (!(await notifyOthers(tags, mode))) add(tags, mode)
    },
    sendPending: oneAtATime(sendPending, sendMs),
    freshness({ tags }: Pick<CacheEntry, 'tags'>): Freshness {
      if (pending.size === 0) return 'fresh'
      const modes = tags.map((tag) => pending.get(tag)?.mode)
      return modes.includes('expired') ? 'expired' : modes.includes('stale') ? 'stale' : 'fresh'
    },
  }
}

/**
 * Returns a function that never runs twice at the same time. A call during a run returns that run's
 * promise.
 * @param maxMs time after which a run counts as stopped, so that the next call starts a new one. A
 * worker stops everything that a request has started when the request ends, and the promise of a
 * stopped run never settles. Default: no limit.
 */
export function oneAtATime(
  run: () => Promise<void>,
  maxMs = Number.POSITIVE_INFINITY,
): () => Promise<void> {
  let running: { readonly promise: Promise<void>; readonly startedAtMs: number } | null = null
  return () => {
    if (running && Date.now() - running.startedAtMs < maxMs) return running.promise
    const started = {
      promise: run().finally(() => {
        if (running === started) running = null
      }),
      startedAtMs: Date.now(),
    }
    running = started
    return started.promise
  }
}
