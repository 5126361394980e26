/**
 * Page data and responses to calls of actions are sent in frames, so that a browser can verify the part that
 * has arrived before the rest:
 *
 *     00001f40⏎        length of the payload's part in bytes, hexadecimal
 *     …                the part
 *     =1c291ca3⏎       checksum of all bytes before it, those of earlier frames included
 *
 * The last frame has `#` in place of `=`. A frame without a part is a heartbeat of the server.
 */
export const maxFrameBytes = 16_384

const headBytes = 9
const checksumBytes = 9
/** Bytes that a frame adds to its part. */
export const frameOverheadBytes = headBytes + 1 + checksumBytes

const markOfFrame = '='
const markOfLastFrame = '#'

export function writeFrameHead(length: number): string {
  return `${hexOf(length)}\n`
}

export function writeFrameMark(isLast: boolean): string {
  return isLast ? markOfLastFrame : markOfFrame
}

export function writeFrameChecksum(checksum: number): string {
  return `${hexOf(checksum)}\n`
}

export type FramePosition = { readonly byteCount: number; readonly checksum: number }

export type FrameReader = ReturnType<typeof createFrameReader>

/** Reads frames from bytes as they arrive. @param start after which frame they begin */
export function createFrameReader(start: FramePosition = { byteCount: 0, checksum: 0 }) {
  let { byteCount, checksum } = start
  let rest: Uint8Array = new Uint8Array()
  let state: 'open' | 'ended' | 'broken' = 'open'
  const decoder = new TextDecoder()

  /** @returns the part of the next frame; `null` where it has not arrived or was changed */
  function readFrame(): Uint8Array | null {
    if (rest.length < headBytes) return null
    const length = lengthOf(decoder.decode(rest.subarray(0, headBytes)))
    if (length === null) {
      state = 'broken'
      return null
    }
    const partEnd = headBytes + length
    const frameEnd = length + frameOverheadBytes
    if (rest.length < frameEnd) return null
    const mark = String.fromCharCode(rest[partEnd] ?? 0)
    const written = rest.subarray(partEnd + 1, frameEnd)
    const sum = crc32(rest.subarray(0, partEnd + 1), checksum)
    const isVerified = decoder.decode(written) === writeFrameChecksum(sum)
    if (!isVerified || (mark !== markOfFrame && mark !== markOfLastFrame)) {
      state = 'broken'
      return null
    }
    const part = rest.subarray(headBytes, partEnd)
    byteCount += frameEnd
    checksum = crc32(written, sum)
    rest = rest.subarray(frameEnd)
    if (mark === markOfLastFrame) state = rest.length > 0 ? 'broken' : 'ended'
    return part
  }

  return {
    /** @returns the parts of the frames that end in these bytes, as far as they are verified */
    read(bytes: Uint8Array): Uint8Array[] {
      const parts: Uint8Array[] = []
      if (state === 'ended' && bytes.length > 0) state = 'broken'
      rest = concat(rest, bytes)
      while (state === 'open') {
        const part = readFrame()
        if (part === null) break
        parts.push(part)
      }
      return parts
    },
    /** End of the last frame that was read. */
    position: (): FramePosition => ({ byteCount, checksum }),
    /** `broken` once a frame was damaged, or bytes have followed the last frame. */
    state: () => state,
  }
}

/** Reads a whole payload from its frames. @returns `null` for a payload that was cut or changed */
export function readFrames(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | null {
  const reader = createFrameReader()
  const parts = reader.read(bytes)
  if (reader.state() !== 'ended') return null
  const payload = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    payload.set(part, at)
    at += part.length
  }
  return payload
}

const heartbeats = /^(?:0{8}\n=[\da-f]{8}\n)+$/

/** True for a chunk of frames without parts. */
export function isHeartbeat(chunk: Uint8Array): boolean {
  return chunk.length % frameOverheadBytes === 0 && heartbeats.test(new TextDecoder().decode(chunk))
}

function lengthOf(head: string): number | null {
  const length = /^[\da-f]{8}\n$/.test(head) ? Number.parseInt(head, 16) : maxFrameBytes + 1
  return length > maxFrameBytes ? null : length
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}

function hexOf(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0')
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
