/** Page data ends with a checksum, because a proxy can cut a response or change a byte. */
export const checksumTrailerBytes = 10

export function writeChecksumTrailer(checksum: number): string {
  return `#${(checksum >>> 0).toString(16).padStart(8, '0')}\n`
}

/** @returns what stands before the checksum; `null` for what was cut or changed on its way */
export function withoutChecksum(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | null {
  const body = bytes.subarray(0, Math.max(0, bytes.length - checksumTrailerBytes))
  const trailer = new TextDecoder().decode(bytes.subarray(body.length))
  return trailer === writeChecksumTrailer(crc32(body)) ? body : null
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
