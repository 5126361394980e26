import type { CacheEntry, InvalidationMode, Lease } from './cacheDriver.ts'
import { freshness, resultEntry, servableEntry } from './cacheEntry.ts'
import { createTagClock } from './invalidation.ts'

/** Bounds of a cache in memory. */
export type MemoryDriverOptions = {
  /** Of all entries together; default 64 MB. */
  readonly maxBytes?: number | undefined
  /** Invalidated tags that are remembered one by one; default 100,000. */
  readonly maxTags?: number | undefined
  readonly now?: () => number
}

/** A driver that gives entries without a promise, and stands before the slower ones. */
export type MemoryDriver = ReturnType<typeof createMemoryDriver>

/** Creates a cache that lives as long as its process, and is seen by no other. */
export function createMemoryDriver(options: MemoryDriverOptions = {}) {
  const { maxBytes = 64 * 2 ** 20, maxTags, now = Date.now } = options
  const store = createEntryStore(maxBytes)
  const clock = createTagClock(maxTags)
  const leases = new Map<string, { readonly endsAtMs: number }>()
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
    /** @param tags `all`, too, for what another driver was notified of */
    invalidate(tags: readonly string[] | 'all', mode: InvalidationMode): void {
      clock.mark(tags, mode, ++position)
    },
    /** What its tags say by now about an entry that may not be here any more. */
    freshnessByTags: clock.freshness,
    position: () => position,
    // There are no other processes.
    onInvalidated: () => () => {},
    async lease(key: string, ttlMs: number): Promise<Lease> {
      const name = `leased:${key}`
      const done = store.get(name)
      if (done && freshness(done, now()) !== 'expired') return { kind: 'done', result: done.value }
      if ((leases.get(name)?.endsAtMs ?? 0) > now()) return { kind: 'running' }
      const own = { endsAtMs: now() + ttlMs }
      leases.set(name, own)
      const release = async () => {
        if (leases.get(name) === own) leases.delete(name)
      }
      return {
        kind: 'ours',
        release,
        async complete(value) {
          store.set(name, resultEntry(value, now(), ttlMs))
          await release()
        },
      }
    },
    async close() {},
    size: store.size,
    /** What may still be served. */
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
  /** Since it came in, or was last passed over. */
  wasRead: boolean
}

// What V8 needs for an entry besides its texts and bytes, measured with a million small ones.
const overheadBytes = 500

/**
 * Creates a store bounded by bytes. Second chance, which is nearly "least recently used", with
 * nothing to move when something is read: what came in first and was not read goes; what was read
 * goes to the end, once.
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
    // A hundredth at once: a Map keeps the gaps at its front, and looks through them each time.
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
    /** Does not store what alone is larger than an eighth of the room. */
    set(key: string, entry: CacheEntry): void {
      remove(key)
      const size = sizeOf(key, entry)
      if (size > maxBytes / 8) return
      // Before the new one comes in: nobody has read it yet, and it would be the first to go.
      makeRoom(size)
      insert(key, { entry, bytes: size, wasRead: false })
    },
    delete: remove,
    size: () => ({ count: slots.size, bytes }),
    /** All entries by key: for looking at, as it takes time by their number. */
    list: () => [...slots].map(([key, { entry }]) => ({ key, entry })),
  }
}

function sizeOf(key: string, { value, tags }: CacheEntry): number {
  let size = overheadBytes + key.length * 2 + value.byteLength
  for (const tag of tags) size += 16 + tag.length * 2
  return size
}
