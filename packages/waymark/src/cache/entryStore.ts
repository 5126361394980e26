import type { CacheEntry } from './driver.ts'

/** Entries by key, bounded by bytes: the one that was used least recently makes room. */
export type EntryStore = {
  get(key: string): CacheEntry | undefined
  /** Does not keep what alone is larger than an eighth of the room. */
  set(key: string, entry: CacheEntry): void
  delete(key: string): void
  readonly count: number
  readonly bytes: number
}

// What V8 needs for an entry besides its texts and bytes, measured with a million small ones.
const overheadBytes = 400

/** Makes an empty store. Each operation takes the same time, however many entries there are. */
export function createEntryStore(maxBytes: number): EntryStore {
  // A Map keeps its order of insertion: the one used least recently is the first.
  const entries = new Map<string, CacheEntry>()
  let bytes = 0

  function remove(key: string): void {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    bytes -= sizeOf(key, entry)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry
    },
    set(key, entry) {
      remove(key)
      const size = sizeOf(key, entry)
      if (size > maxBytes / 8) return
      entries.set(key, entry)
      bytes += size
      while (bytes > maxBytes) {
        const [oldest] = entries.keys()
        if (oldest === undefined) return
        remove(oldest)
      }
    },
    delete: remove,
    get count() {
      return entries.size
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
