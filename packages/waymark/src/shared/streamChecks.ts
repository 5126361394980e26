/** Page data ends with a checksum, because a proxy can cut a response or change a byte. */
export const checksumTrailerBytes = 10

export function writeChecksumTrailer(checksum: number): string {
  return `#${(checksum >>> 0).toString(16).padStart(8, '0')}\n`
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

const heartbeatMs = 1000
const lastRowId = 0x7fffffff

/** Writes an empty Flight row each second: a slow server is no lost connection. @returns its end */
export function startHeartbeat(write: (row: string) => void): () => void {
  let id = lastRowId
  const timer = setInterval(() => write(`${(id--).toString(16)}:0\n`), heartbeatMs)
  return () => clearInterval(timer)
}

// The ids count down, enough for hours. One chunk may hold several rows.
const heartbeats = /^(?:7ff[\da-f]{5}:0\n)+$/
const rowBytes = 11

export function isHeartbeat(chunk: Uint8Array): boolean {
  return chunk.length % rowBytes === 0 && heartbeats.test(new TextDecoder().decode(chunk))
}
