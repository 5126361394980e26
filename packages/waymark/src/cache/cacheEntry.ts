import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { CacheEntry } from './cacheDriver.ts'
import type { CacheLife } from './cacheLife.ts'

/** A computed value. Its lifetime starts with the computation. */
export type Computed = CacheLife<readonly string[]> & {
  readonly value: Uint8Array
  /**
   * False if the value is only for the reader that computed it. Such a value isn't cached, and
   * other readers compute their own.
   */
  readonly isShared: boolean
}

export type CacheRead = Pick<
  CacheEntry,
  'value' | 'tags' | 'storedAtMs' | 'revalidateAtMs' | 'expireAtMs'
> & {
  /** `stale` if a refresh is running; `computed` if this reader has waited for the computation. */
  readonly state: 'fresh' | 'stale' | 'computed'
}

/**
 * Computes a value. If this fails, the readers waiting for the value get the error, which is never
 * cached.
 */
export type Compute = () => Promise<Computed>

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

function after(startedAtMs: number, seconds: number | null): number | null {
  const isNever = seconds === null || seconds === Number.POSITIVE_INFINITY
  return isNever ? null : startedAtMs + seconds * 1_000
}

export function resultEntry(value: Uint8Array, nowMs: number, ttlMs: number): CacheEntry {
  const times = { storedAtMs: nowMs, revalidateAtMs: null, expireAtMs: nowMs + ttlMs }
  return { value, tags: [], ...times, position: 0 }
}

export function toRead(entry: CacheEntry, state: CacheRead['state']): CacheRead {
  const { value, tags, storedAtMs, revalidateAtMs, expireAtMs } = entry
  return { value, tags, storedAtMs, revalidateAtMs, expireAtMs, state }
}

/**
 * `fresh` entries are returned. `stale` entries are returned and then refreshed. `expired` entries
 * aren't returned.
 */
export type Freshness = 'fresh' | 'stale' | 'expired'

/** Returns an entry's freshness based on its times. @see RFC 5861 §3, stale-while-revalidate */
export function freshness(
  { revalidateAtMs, expireAtMs }: Pick<CacheEntry, 'revalidateAtMs' | 'expireAtMs'>,
  nowMs: number,
): Freshness {
  if (expireAtMs !== null && nowMs >= expireAtMs) return 'expired'
  return revalidateAtMs !== null && nowMs >= revalidateAtMs ? 'stale' : 'fresh'
}

export function staler(a: Freshness, b: Freshness): Freshness {
  if (a === 'expired' || b === 'expired') return 'expired'
  return a === 'stale' || b === 'stale' ? 'stale' : 'fresh'
}

/**
 * Returns an entry, or `null` if it has expired. If a tag has made it stale, its `revalidateAtMs`
 * is 0.
 */
export function servableEntry(
  entry: CacheEntry,
  byTags: Freshness,
  nowMs: number,
): CacheEntry | null {
  if (byTags === 'expired' || freshness(entry, nowMs) === 'expired') return null
  return byTags === 'stale' ? { ...entry, revalidateAtMs: 0 } : entry
}

export const maxKeyLength = 200

const digestLength = 43

/**
 * Normalizes a key or tag: hashes a long one, and one with control characters, which stores might
 * interpret.
 */
export function normalizeKey(name: string): string {
  if (name.length <= maxKeyLength && !unsafe.test(name)) return name
  const digest = createHash('sha256').update(name).digest('base64url')
  const start = name.slice(0, maxKeyLength - digestLength - 1).replaceAll(unsafeAll, '_')
  return `${start.toWellFormed()}#${digest}`
}

const unsafe = /[\p{Cc}\p{Cs}]/u
const unsafeAll = /[\p{Cc}\p{Cs}]/gu

// A frame consists of its mark, a checksum of the rest, the length of the head, the head and the
// bodies.
const markBytes = 4
const headAt = markBytes + 8

/** Encodes a JSON head and bodies as a frame. @param mark four letters for the format and its version */
export function encodeFrame(
  mark: string,
  head: unknown,
  bodies: readonly Uint8Array[],
): Buffer<ArrayBuffer> {
  const text = Buffer.from(JSON.stringify(head))
  const start = Buffer.alloc(headAt)
  start.write(mark, 'latin1')
  start.writeUInt32BE(text.length, markBytes + 4)
  const bytes = Buffer.concat([start, text, ...bodies])
  bytes.writeUInt32BE(crc32(bytes.subarray(markBytes + 4)), markBytes)
  return bytes
}

/**
 * Decodes a frame. @returns the head, and the bodies joined into one; `null` if the mark is
 * different or bytes are damaged
 */
export function decodeFrame<Head>(
  mark: string,
  bytes: Buffer,
): { readonly head: Head; readonly bodies: Buffer } | null {
  if (bytes.length < headAt || bytes.toString('latin1', 0, markBytes) !== mark) return null
  if (bytes.readUInt32BE(markBytes) !== crc32(bytes.subarray(markBytes + 4))) return null
  const end = headAt + bytes.readUInt32BE(markBytes + 4)
  // The checksum proves that `encodeFrame` wrote the head, so cast.
  return {
    head: JSON.parse(bytes.toString('utf8', headAt, end)) as Head,
    bodies: bytes.subarray(end),
  }
}

// Mark at the start of an entry. Change it whenever the format changes, so that old entries are
// dropped.
const entryMark = 'WMC1'

export function encodeCacheEntry({ value, ...others }: CacheEntry): Buffer<ArrayBuffer> {
  return encodeFrame(entryMark, others, [value])
}

export function decodeCacheEntry(bytes: Buffer): CacheEntry | null {
  const frame = decodeFrame<Omit<CacheEntry, 'value'>>(entryMark, bytes)
  // A view would keep the whole buffer in memory, so copy the value.
  return frame && { ...frame.head, value: new Uint8Array(frame.bodies) }
}
