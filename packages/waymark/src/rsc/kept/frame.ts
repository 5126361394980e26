import { crc32 } from 'node:zlib'

const headBytes = 12

/** Writes a value as the bytes that a cache keeps: what it is, lengths, a checksum, a head, bodies. */
export function writeFrame(
  magic: number,
  head: unknown,
  bodies: readonly Uint8Array[],
): Uint8Array {
  const text = Buffer.from(JSON.stringify(head))
  const rest = Buffer.concat([text, ...bodies])
  const start = Buffer.alloc(headBytes)
  start.writeUInt32LE(magic, 0)
  start.writeUInt32LE(text.length, 4)
  start.writeUInt32LE(crc32(rest), 8)
  return Buffer.concat([start, rest])
}

/**
 * Reads what `writeFrame` wrote.
 * @returns the head, and the bodies in one; `null` for what another version wrote, or what was cut
 *   or changed since
 */
export function readFrame<Head>(
  magic: number,
  bytes: Buffer,
): { head: Head; bodies: Buffer } | null {
  if (bytes.length < headBytes || bytes.readUInt32LE(0) !== magic) return null
  const rest = bytes.subarray(headBytes)
  if (crc32(rest) !== bytes.readUInt32LE(8)) return null
  const headLength = bytes.readUInt32LE(4)
  // The checksum vouches for the rest: it was this function's counterpart that wrote it.
  const head = JSON.parse(rest.toString('utf8', 0, headLength)) as Head
  return { head, bodies: rest.subarray(headLength) }
}
