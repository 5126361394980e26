import type { CacheEntry } from '../cacheDriver.ts'

/** An entry with a text as its value. */
export function entryOf(text: string, changes: Partial<CacheEntry> = {}): CacheEntry {
  return {
    value: new TextEncoder().encode(text),
    tags: [],
    storedAtMs: Date.now(),
    revalidateAtMs: null,
    expireAtMs: null,
    position: 0,
    ...changes,
  }
}

/** The text of a value. */
export function textOf(entry: Pick<CacheEntry, 'value'> | null): string | null {
  return entry && new TextDecoder().decode(entry.value)
}
