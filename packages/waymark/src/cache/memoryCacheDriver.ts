import type { CacheDriver, CacheEntry, InvalidationMode, Release } from './cacheDriver.ts'
import { type Freshness, freshness } from './cacheEntry.ts'
import { createTagClock } from './invalidation.ts'

/** Bounds of a cache in memory. */
export type MemoryDriverOptions = {
  /** Of all entries together; default 64 MB. */
  readonly maxBytes?: number | undefined
  /** Invalidated tags that are remembered one by one; default 100,000. */
  readonly maxTags?: number | undefined
  readonly now?: () => number
}

/** A driver that answers at once, and stands before the slower ones. */
export type MemoryDriver = Omit<CacheDriver, 'get' | 'set' | 'delete' | 'invalidate'> & {
  get(key: string): CacheEntry | null
  set(key: string, entry: CacheEntry): void
  delete(key: string): void
  invalidate(tags: readonly string[], mode: InvalidationMode): void
  /** Takes over what another driver heard of. */
  invalidateAll(mode: InvalidationMode): void
  /** What has become, by its tags, of an entry that may not be here any more. */
  freshnessByTags(entry: CacheEntry): Freshness
  readonly count: number
  readonly bytes: number
}

/** Makes a cache that lives as long as its process, and is seen by no other. */
export function createMemoryDriver(options: MemoryDriverOptions = {}): MemoryDriver {
  const { maxBytes = 64 * 2 ** 20, maxTags, now = Date.now } = options
  const store = createEntryStore(maxBytes)
  const marks = createTagClock(maxTags)
  const locks = createLocks(now)
  let position = 0

  return {
    name: 'memory',
    get(key) {
      const entry = store.get(key)
      if (!entry) return null
      const byTags = marks.freshness(entry)
      if (byTags === 'expired' || freshness(entry, now()) === 'expired') {
        store.delete(key)
        return null
      }
      return byTags === 'stale' ? { ...entry, revalidateAtMs: 0 } : entry
    },
    set: store.set,
    delete: store.delete,
    invalidate(tags, mode) {
      marks.mark(tags, mode, ++position)
    },
    invalidateAll(mode) {
      marks.mark('all', mode, ++position)
    },
    freshnessByTags: marks.freshness,
    position: () => position,
    // There are no other processes.
    onInvalidated: () => () => {},
    lock: async (key, ttlMs) => locks(key, ttlMs),
    lease: createLeases({ store, locks, now }),
    async close() {},
    get count() {
      return store.count
    },
    get bytes() {
      return store.bytes
    },
  }
}

type Locks = (key: string, ttlMs: number) => Release | null

type LeaseOptions = {
  readonly store: EntryStore
  readonly locks: Locks
  readonly now: () => number
}

function createLeases({ store, locks, now }: LeaseOptions): CacheDriver['lease'] {
  return async (key, ttlMs) => {
    const name = `leased:${key}`
    const done = store.get(name)
    if (done && freshness(done, now()) !== 'expired') return { kind: 'done', result: done.value }
    const release = locks(name, ttlMs)
    if (release === null) return { kind: 'running' }
    const complete = async (value: Uint8Array) => {
      const times = { storedAtMs: now(), revalidateAtMs: null, expireAtMs: now() + ttlMs }
      store.set(name, { value, tags: [], ...times, position: 0 })
      await release()
    }
    return { kind: 'ours', complete, release }
  }
}

function createLocks(now: () => number): Locks {
  const held = new Map<string, { untilMs: number }>()
  return (key, ttlMs) => {
    const current = held.get(key)
    if (current && current.untilMs > now()) return null
    const lock = { untilMs: now() + ttlMs }
    held.set(key, lock)
    return async () => {
      if (held.get(key) === lock) held.delete(key)
    }
  }
}

/** Entries by key, bounded by bytes: what was not read for the longest time makes room. */
export type EntryStore = {
  get(key: string): CacheEntry | undefined
  /** Does not keep what alone is larger than an eighth of the room. */
  set(key: string, entry: CacheEntry): void
  delete(key: string): void
  readonly count: number
  readonly bytes: number
}

type Held = { readonly key: string; readonly entry: CacheEntry; readonly bytes: number }

// What V8 needs for an entry besides its texts and bytes, measured with a million small ones.
const overheadBytes = 500

/** Makes an empty store. Each operation takes the same time, however many entries there are. */
export function createEntryStore(maxBytes: number): EntryStore {
  const all = new Map<string, ClockSlot<Held>>()
  const queue = createClockQueue<Held>()
  let bytes = 0

  function remove(queued: ClockSlot<Held>): void {
    all.delete(queued.value.key)
    queue.remove(queued)
    bytes -= queued.value.bytes
  }

  function removeKey(key: string): void {
    const queued = all.get(key)
    if (queued) remove(queued)
  }

  // Before the new one comes in: nobody has read it yet, and it would be the first to go.
  function makeRoom(size: number): void {
    while (bytes + size > maxBytes) {
      const next = queue.nextToGo()
      if (next === null) return
      remove(next)
    }
  }

  return {
    get(key) {
      const queued = all.get(key)
      if (queued === undefined) return undefined
      queued.wasRead = true
      return queued.value.entry
    },
    set(key, entry) {
      removeKey(key)
      const size = sizeOf(key, entry)
      if (size > maxBytes / 8) return
      makeRoom(size)
      all.set(key, queue.add({ key, entry, bytes: size }))
      bytes += size
    },
    delete: removeKey,
    get count() {
      return all.size
    },
    get bytes() {
      return bytes
    },
  }
}

function sizeOf(key: string, { value, tags }: CacheEntry): number {
  let size = overheadBytes + key.length * 2 + value.byteLength
  for (const tag of tags) size += 16 + tag.length * 2
  return size
}

/** One who stands in a queue. */
export type ClockSlot<T> = {
  readonly value: T
  /** Since it came in, or was last passed over. */
  wasRead: boolean
  /** Towards the one that is asked next to go. */
  before: ClockSlot<T>
  after: ClockSlot<T>
}

/** What is in a store, by who has to go first. */
export type ClockQueue<T> = {
  add(value: T): ClockSlot<T>
  remove(queued: ClockSlot<T>): void
  /** The first that was not read; those before it go to the end, once. `null` of none. */
  nextToGo(): ClockSlot<T> | null
}

/**
 * Makes an empty queue: second chance, which is nearly "least recently used", with nothing to move
 * when something is read. A Map that is emptied from its front keeps the gaps there, and looks
 * through them each time.
 */
export function createClockQueue<T>(): ClockQueue<T> {
  // A ring; this stands between the last and the first, and has no value that anybody reads.
  const ends = { wasRead: false } as ClockSlot<T>
  ends.before = ends
  ends.after = ends

  function append(queued: ClockSlot<T>): void {
    queued.before = ends.before
    queued.after = ends
    ends.before.after = queued
    ends.before = queued
  }

  function remove({ before, after }: ClockSlot<T>): void {
    before.after = after
    after.before = before
  }

  return {
    add(value) {
      const queued: ClockSlot<T> = { value, wasRead: false, before: ends, after: ends }
      append(queued)
      return queued
    },
    remove,
    nextToGo() {
      let first = ends.after
      while (first.wasRead) {
        first.wasRead = false
        remove(first)
        append(first)
        first = ends.after
      }
      return first === ends ? null : first
    },
  }
}
