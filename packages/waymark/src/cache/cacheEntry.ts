import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { CacheEntry } from './cacheDriver.ts'
import type { CacheLife } from './cacheLife.ts'

/** What a computation gives; it lives from the moment at which the computation began. */
export type Computed = CacheLife<readonly string[]> & {
  readonly value: Uint8Array
  /**
   * False for what belongs to one reader: it is given to nobody else and not cached, and others
   * who waited for it compute their own.
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

/** Computes a value. What it throws reaches those who wait for it, and is never cached. */
export type Compute = () => Promise<Computed>

/** Turns a value that was computed into an entry. */
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

/** Turns the result of a lease into an entry. */
export function resultEntry(value: Uint8Array, nowMs: number, ttlMs: number): CacheEntry {
  const times = { storedAtMs: nowMs, revalidateAtMs: null, expireAtMs: nowMs + ttlMs }
  return { value, tags: [], ...times, position: 0 }
}

/** What a reader gets of an entry. */
export function toRead(entry: CacheEntry, state: CacheRead['state']): CacheRead {
  const { value, tags, storedAtMs, revalidateAtMs, expireAtMs } = entry
  return { value, tags, storedAtMs, revalidateAtMs, expireAtMs, state }
}

/** Whether an entry may be served: `fresh`; `stale` (serve it, then refresh it); `expired`. */
export type Freshness = 'fresh' | 'stale' | 'expired'

/**
 * Tells by its times whether an entry may be served.
 * @see RFC 5861 §3, stale-while-revalidate
 */
export function freshness(
  { revalidateAtMs, expireAtMs }: Pick<CacheEntry, 'revalidateAtMs' | 'expireAtMs'>,
  nowMs: number,
): Freshness {
  if (expireAtMs !== null && nowMs >= expireAtMs) return 'expired'
  return revalidateAtMs !== null && nowMs >= revalidateAtMs ? 'stale' : 'fresh'
}

/** The one of two that says less good of an entry. */
export function staler(a: Freshness, b: Freshness): Freshness {
  if (a === 'expired' || b === 'expired') return 'expired'
  return a === 'stale' || b === 'stale' ? 'stale' : 'fresh'
}

/**
 * An entry as it may be served now.
 * @param byTags what its tags say about it
 * @returns `null` when it has expired; it is due for a refresh where a tag has made it stale
 */
export function servableEntry(
  entry: CacheEntry,
  byTags: Freshness,
  nowMs: number,
): CacheEntry | null {
  if (byTags === 'expired' || freshness(entry, nowMs) === 'expired') return null
  return byTags === 'stale' ? { ...entry, revalidateAtMs: 0 } : entry
}

/** No key or tag that reaches a driver is longer. */
export const maxKeyLength = 200

const digestLength = 43

/**
 * Bounds a key or a tag: of a longer one, its beginning stays readable and a hash of the whole
 * follows. Control characters, which logs and stores would take for their own, are hashed, too.
 */
export function normalizeKey(name: string): string {
  if (name.length <= maxKeyLength && !unsafe.test(name)) return name
  const digest = createHash('sha256').update(name).digest('base64url')
  const start = name.slice(0, maxKeyLength - digestLength - 1).replaceAll(unsafeAll, '_')
  return `${start.toWellFormed()}#${digest}`
}

const unsafe = /[\p{Cc}\p{Cs}]/u
const unsafeAll = /[\p{Cc}\p{Cs}]/gu

// A mark, a checksum over the rest, the length of the head.
const markBytes = 4
const headAt = markBytes + 8

/**
 * Writes a head, as JSON, and bodies as the bytes that a cache stores.
 * @param mark four letters for the format and its version
 */
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
 * Reads what `encodeFrame` wrote.
 * @returns the head, and the bodies in one; `null` for another mark, and for what was cut or
 *   changed since
 */
export function decodeFrame<Head>(
  mark: string,
  bytes: Buffer,
): { readonly head: Head; readonly bodies: Buffer } | null {
  if (bytes.length < headAt || bytes.toString('latin1', 0, markBytes) !== mark) return null
  if (bytes.readUInt32BE(markBytes) !== crc32(bytes.subarray(markBytes + 4))) return null
  const end = headAt + bytes.readUInt32BE(markBytes + 4)
  // The checksum holds, so it was written by `encodeFrame`.
  return {
    head: JSON.parse(bytes.toString('utf8', headAt, end)) as Head,
    bodies: bytes.subarray(end),
  }
}

// Changes with the format: entries of another version are dropped.
const entryMark = 'WMC1'

/** Writes an entry as bytes. */
export function encodeCacheEntry({ value, ...others }: CacheEntry): Buffer<ArrayBuffer> {
  return encodeFrame(entryMark, others, [value])
}

/**
 * Reads an entry.
 * @returns `null` for bytes of another version, cut or changed ones
 */
export function decodeCacheEntry(bytes: Buffer): CacheEntry | null {
  const frame = decodeFrame<Omit<CacheEntry, 'value'>>(entryMark, bytes)
  // A copy: the bytes may be a part of a larger buffer, which would stay in memory with it.
  return frame && { ...frame.head, value: new Uint8Array(frame.bodies) }
}
