import type { CacheDriver, CacheEntry, InvalidationMode, Release } from './driver.ts'
import { createEntryStore, type EntryStore } from './entryStore.ts'
import { type Freshness, freshness } from './freshness.ts'
import { createTagClock } from './tagMarks.ts'

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
    claim: createClaims({ store, locks, now }),
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

type ClaimOptions = {
  readonly store: EntryStore
  readonly locks: Locks
  readonly now: () => number
}

function createClaims({ store, locks, now }: ClaimOptions): CacheDriver['claim'] {
  return async (key, keepMs) => {
    const name = `claimed:${key}`
    const done = store.get(name)
    if (done && freshness(done, now()) !== 'expired') return { kind: 'done', result: done.value }
    const release = locks(name, keepMs)
    if (release === null) return { kind: 'running' }
    const keep = async (value: Uint8Array) => {
      const times = { storedAtMs: now(), revalidateAtMs: null, expireAtMs: now() + keepMs }
      store.set(name, { value, tags: [], ...times, position: 0 })
      await release()
    }
    return { kind: 'ours', keep, release }
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
