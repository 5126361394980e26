/** Page data ends with a checksum, because a proxy can cut a response or change a byte. */
export const checksumTrailerBytes = 10

export function writeChecksumTrailer(checksum: number): string {
  return `#${hexOf(checksum)}\n`
}

/** Length of a row of `writeChecksumRow`. */
export const checksumRowBytes = 20

// Ids count down, below those of heartbeats and of packages. No stream has as many flushes.
const lastRowId = 0x7dffffff
const checksumRow = /^(7[\da-d][\da-f]{6}:")([\da-f]{8})"\n$/

/**
 * Writes a Flight row that nothing refers to, with the checksum of all bytes before the checksum. A
 * page that still streams has one after each flush, so that the browser can verify what has arrived.
 * @param index another one for each row of a payload: React takes a repeated id for a stream
 * @param checksum of the bytes before the row
 */
export function writeChecksumRow(index: number, checksum: number): string {
  const start = `${(lastRowId - index).toString(16)}:"`
  return `${start}${hexOf(crc32(new TextEncoder().encode(start), checksum))}"\n`
}

/** Finds most rows to be others, without a decoder and the checksum of what is before them. */
export function mayBeChecksumRow(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === 55 && bytes[start + 8] === 58 && bytes[start + 9] === 34
}

/** @param checksum of the bytes before the row */
export function isChecksumRow(row: Uint8Array, checksum: number): boolean {
  const [, start, hex] = checksumRow.exec(new TextDecoder().decode(row)) ?? []
  return start !== undefined && hex === hexOf(crc32(row.subarray(0, start.length), checksum))
}

/**
 * Verifies the checksum at the end of a payload, which responses to requests for page data and to
 * calls of actions have.
 * @returns the bytes before the checksum; `null` for a payload that was cut or changed on its way
 */
export function withoutChecksum(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | null {
  const body = bytes.subarray(0, Math.max(0, bytes.length - checksumTrailerBytes))
  const trailer = new TextDecoder().decode(bytes.subarray(body.length))
  return trailer === writeChecksumTrailer(crc32(body)) ? body : null
}

function hexOf(checksum: number): string {
  return (checksum >>> 0).toString(16).padStart(8, '0')
}

let table: Uint32Array | undefined

/** CRC-32, continued from the checksum of the bytes before. RFC 1952 §8 */
export function crc32(bytes: Uint8Array, previous = 0): number {
  table ??= makeTable()
  let crc = ~previous
  for (const byte of bytes) crc = (table[(crc ^ byte) & 255] as number) ^ (crc >>> 8)
  return ~crc >>> 0
}

function makeTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
    return value
  })
}
