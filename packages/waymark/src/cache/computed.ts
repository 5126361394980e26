import type { CacheEntry } from './driver.ts'
import { normalizeKey } from './names.ts'

/** What a computation gives. */
export type Computed = {
  readonly value: Uint8Array
  readonly tags: readonly string[]
  /** Seconds from the begin of computing until it is stale; `null`: only a tag makes it so. */
  readonly revalidateSeconds: number | null
  /** Seconds from the begin of computing until it is gone; `null`: never. */
  readonly expireSeconds: number | null
  /**
   * False for what belongs to the one who asked: it is given to nobody else and not kept, and
   * others who waited for it compute their own.
   */
  readonly isShared: boolean
}

/** A value that was read. */
export type CacheRead = Pick<
  CacheEntry,
  'value' | 'tags' | 'storedAtMs' | 'revalidateAtMs' | 'expireAtMs'
> & {
  /** `stale`: it is being refreshed now. `computed`: for this reader, or for one before it. */
  readonly state: 'fresh' | 'stale' | 'computed'
}

/** Makes a value anew. What it throws reaches those who wait for it, and is never kept. */
export type Compute = () => Promise<Computed>

/** Makes the entry of a value that was computed. */
export function toEntry(computed: Computed, startedAtMs: number, position: number): CacheEntry {
  const { value, tags, revalidateSeconds, expireSeconds } = computed
  return {
    value,
    tags: tags.map(normalizeKey),
    storedAtMs: startedAtMs,
    revalidateAtMs: after(startedAtMs, revalidateSeconds),
    expireAtMs: after(startedAtMs, expireSeconds),
    position,
  }
}

/** What a reader gets of an entry. */
export function toRead(entry: CacheEntry, state: CacheRead['state']): CacheRead {
  const { value, tags, storedAtMs, revalidateAtMs, expireAtMs } = entry
  return { value, tags, storedAtMs, revalidateAtMs, expireAtMs, state }
}

function after(startedAtMs: number, seconds: number | null): number | null {
  const isNever = seconds === null || seconds === Number.POSITIVE_INFINITY
  return isNever ? null : startedAtMs + seconds * 1_000
}
