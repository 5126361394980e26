import type { CacheEntry, InvalidationMode, Lease } from './cacheDriver.ts'
import { freshness, resultEntry, servableEntry } from './cacheEntry.ts'
import { createTagClock } from './invalidation.ts'

export type MemoryDriverOptions = {
  /** Maximum bytes of all entries; default 64 MB. */
  readonly maxBytes?: number | undefined
  /** Maximum number of invalidated tags to remember; default 100,000. */
  readonly maxTags?: number | undefined
  readonly now?: () => number
}

export type MemoryDriver = ReturnType<typeof createMemoryDriver>

export function createMemoryDriver(options: MemoryDriverOptions = {}) {
  const { maxBytes = 64 * 2 ** 20, maxTags, now = Date.now } = options
  const store = createEntryStore(maxBytes)
  const clock = createTagClock(maxTags)
  const leases = new Map<string, { readonly endsAtMs: number }>()
  const listeners = new Set<(tags: readonly string[] | 'all') => void>()
  let position = 0

  return {
    get(key: string): CacheEntry | null {
      const entry = store.get(key)
      if (!entry) return null
      const servable = servableEntry(entry, clock.freshness(entry), now())
      if (!servable) store.delete(key)
      return servable
    },
    set: store.set,
    delete: store.delete,
    /** Invalidates entries. @param tags `all` if the shared driver no longer knows which tags were invalidated */
    invalidate(tags: readonly string[] | 'all', mode: InvalidationMode): void {
      clock.mark(tags, mode, ++position)
      for (const listener of listeners) listener(tags)
    },
    /** Returns an entry's freshness based on its tags, even if the entry is no longer stored. */
    freshnessByTags: clock.freshness,
    position: () => position,
    onInvalidated: () => () => {},
    /** Listens for invalidations by any process, including this one. */
    onAnyInvalidated: (listener: (tags: readonly string[] | 'all') => void) =>
      void listeners.add(listener),
    async lease(key: string, ttlMs: number): Promise<Lease> {
      const name = `leased:${key}`
      const done = store.get(name)
      if (done && freshness(done, now()) !== 'expired') return { kind: 'done', result: done.value }
      if ((leases.get(name)?.endsAtMs ?? 0) > now()) return { kind: 'running' }
      const lease = { endsAtMs: now() + ttlMs }
      leases.set(name, lease)
      const release = async () => {
        if (leases.get(name) === lease) leases.delete(name)
      }
      let isStored = false
      return {
        kind: 'ours',
        release,
        async complete(value) {
          isStored = true
          store.set(name, resultEntry(value, now(), ttlMs))
          await release()
        },
        async withdraw() {
          if (isStored) store.delete(name)
          isStored = false
        },
      }
    },
    async close() {},
    size: store.size,
    list: () =>
      store.list().flatMap(({ key, entry }) => {
        const servable = servableEntry(entry, clock.freshness(entry), now())
        return servable ? [{ key, entry: servable }] : []
      }),
  }
}

type Slot = {
  readonly entry: CacheEntry
  readonly bytes: number
  /** True if the entry was read since it was stored or last skipped. */
  wasRead: boolean
}

// Bytes that an entry takes on top of its strings and its value, measured with a million small
// entries.
const overheadBytes = 500

/**
 * Stores entries with the second-chance algorithm, which approximates LRU: an entry that was read
 * is moved to the end once, instead of being removed.
 */
function createEntryStore(maxBytes: number) {
  const slots = new Map<string, Slot>()
  let bytes = 0

  function remove(key: string): void {
    const slot = slots.get(key)
    if (slot && slots.delete(key)) bytes -= slot.bytes
  }

  function makeRoom(size: number): void {
    if (bytes + size <= maxBytes) return
    // A Map doesn't close gaps at its front, and would scan them for each removal. So remove 1/100
    // of all entries at once.
    let left = Math.ceil(slots.size / 100)
    for (const [key, slot] of slots) {
      if (left <= 0 && bytes + size <= maxBytes) return
      remove(key)
      if (slot.wasRead) insert(key, { ...slot, wasRead: false })
      else left--
    }
  }

  function insert(key: string, slot: Slot): void {
    slots.set(key, slot)
    bytes += slot.bytes
  }

  return {
    get(key: string): CacheEntry | undefined {
      const slot = slots.get(key)
      if (slot === undefined) return undefined
      slot.wasRead = true
      return slot.entry
    },
    /** Stores an entry, unless it is larger than an eighth of the limit. */
    set(key: string, entry: CacheEntry): void {
      remove(key)
      const size = sizeOf(key, entry)
      if (size > maxBytes / 8) return
      // An unread entry would be removed first, so make room before adding this one.
      makeRoom(size)
      insert(key, { entry, bytes: size, wasRead: false })
    },
    delete: remove,
    size: () => ({ count: slots.size, bytes }),
    list: () => [...slots].map(([key, { entry }]) => ({ key, entry })),
  }
}

function sizeOf(key: string, { value, tags }: CacheEntry): number {
  let size = overheadBytes + key.length * 2 + value.byteLength
  for (const tag of tags) size += 16 + tag.length * 2
  return size
}
