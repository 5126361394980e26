import { crc32 } from 'node:zlib'
import type { CacheEntry } from './cacheDriver.ts'

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
export function encodeEntry({ value, ...others }: CacheEntry): Buffer<ArrayBuffer> {
  return encodeFrame(entryMark, others, [value])
}

/**
 * Reads an entry.
 * @returns `null` for bytes of another version, cut or changed ones
 */
export function decodeEntry(bytes: Buffer): CacheEntry | null {
  const frame = decodeFrame<Omit<CacheEntry, 'value'>>(entryMark, bytes)
  // A copy: the bytes may be a part of a larger buffer, which would stay in memory with it.
  return frame && { ...frame.head, value: new Uint8Array(frame.bodies) }
}
