import type { CacheEntry } from './driver.ts'
import { type ClockSlot, createClockQueue } from './readQueue.ts'

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
