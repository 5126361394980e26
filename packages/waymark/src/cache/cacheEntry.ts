import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { CacheEntry } from './cacheDriver.ts'
import type { CacheLife } from './cacheLife.ts'

/** A computed value; its lifetime counts from the start of the computation. */
export type Computed = CacheLife<readonly string[]> & {
  readonly value: Uint8Array
  /** False for a value of one reader: it is not cached, and waiting readers compute their own. */
  readonly isShared: boolean
}

export type CacheRead = Pick<
  CacheEntry,
  'value' | 'tags' | 'storedAtMs' | 'revalidateAtMs' | 'expireAtMs'
> & {
  /** `stale`: a refresh is running. `computed`: for this reader, or one that it joined. */
  readonly state: 'fresh' | 'stale' | 'computed'
}

/** Errors reach the waiting readers and are never cached. */
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

/** May an entry be served? `fresh`; `stale` (serve, then refresh); `expired`. */
export type Freshness = 'fresh' | 'stale' | 'expired'

/** Applies an entry's times. @see RFC 5861 §3, stale-while-revalidate */
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

/** @returns `null` for an expired entry; one that a tag made stale is due for a refresh */
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

/** Shortens a long key or tag, and hashes control characters, which stores would interpret. */
export function normalizeKey(name: string): string {
  if (name.length <= maxKeyLength && !unsafe.test(name)) return name
  const digest = createHash('sha256').update(name).digest('base64url')
  const start = name.slice(0, maxKeyLength - digestLength - 1).replaceAll(unsafeAll, '_')
  return `${start.toWellFormed()}#${digest}`
}

const unsafe = /[\p{Cc}\p{Cs}]/u
const unsafeAll = /[\p{Cc}\p{Cs}]/gu

// Mark, checksum of the rest, length of the head.
const markBytes = 4
const headAt = markBytes + 8

/** Encodes a JSON head and bodies. @param mark four letters for the format and its version */
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

/** @returns the head and the joined bodies; `null` for another mark, and for changed bytes */
export function decodeFrame<Head>(
  mark: string,
  bytes: Buffer,
): { readonly head: Head; readonly bodies: Buffer } | null {
  if (bytes.length < headAt || bytes.toString('latin1', 0, markBytes) !== mark) return null
  if (bytes.readUInt32BE(markBytes) !== crc32(bytes.subarray(markBytes + 4))) return null
  const end = headAt + bytes.readUInt32BE(markBytes + 4)
  // The checksum proves that `encodeFrame` wrote the head.
  return {
    head: JSON.parse(bytes.toString('utf8', headAt, end)) as Head,
    bodies: bytes.subarray(end),
  }
}

// Changes with the format: entries of other versions are dropped.
const entryMark = 'WMC1'

export function encodeCacheEntry({ value, ...others }: CacheEntry): Buffer<ArrayBuffer> {
  return encodeFrame(entryMark, others, [value])
}

export function decodeCacheEntry(bytes: Buffer): CacheEntry | null {
  const frame = decodeFrame<Omit<CacheEntry, 'value'>>(entryMark, bytes)
  // Copied, because a view would keep its larger buffer in memory.
  return frame && { ...frame.head, value: new Uint8Array(frame.bodies) }
}
