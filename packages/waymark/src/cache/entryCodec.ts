import { crc32 } from 'node:zlib'
import type { CacheEntry } from './cacheDriver.ts'

// Changes with the format: entries of another version are dropped.
const mark = Buffer.from('WMC1')
const headBytes = mark.length + 8

type Facts = Omit<CacheEntry, 'value'>

/** Writes an entry: a mark, a checksum over the rest, the length of its facts, facts, value. */
export function encodeEntry({ value, ...facts }: CacheEntry): Buffer {
  const text = Buffer.from(JSON.stringify(facts))
  const bytes = Buffer.allocUnsafe(headBytes + text.length + value.byteLength)
  mark.copy(bytes)
  bytes.writeUInt32BE(text.length, mark.length + 4)
  text.copy(bytes, headBytes)
  bytes.set(value, headBytes + text.length)
  bytes.writeUInt32BE(crc32(bytes.subarray(mark.length + 4)), mark.length)
  return bytes
}

/**
 * Reads an entry.
 * @returns `null` for bytes of another version, cut or changed ones
 */
export function decodeEntry(bytes: Buffer): CacheEntry | null {
  if (bytes.length < headBytes || !bytes.subarray(0, mark.length).equals(mark)) return null
  if (bytes.readUInt32BE(mark.length) !== crc32(bytes.subarray(mark.length + 4))) return null
  const end = headBytes + bytes.readUInt32BE(mark.length + 4)
  // The checksum holds, so it was written by `encodeEntry`.
  const facts = JSON.parse(bytes.toString('utf8', headBytes, end)) as Facts
  // A copy: the bytes may be a part of a larger buffer, which would be kept with it.
  return { ...facts, value: new Uint8Array(bytes.subarray(end)) }
}
