/**
 * Maximum bytes of a part of the payload in one frame.
 *
 * Page data and responses to action calls are sent in frames, so that a browser can verify each part as it arrives:
 *
 *     00001f40⏎        length of the part in bytes, in hexadecimal
 *     …                the part
 *     =1c291ca3⏎       checksum of all preceding bytes, including earlier frames
 *
 * The last frame has `#` instead of `=`. The server sends a frame with an empty part as a heartbeat.
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

/** @param start position after the last frame that was already read */
export function createFrameReader(start: FramePosition = { byteCount: 0, checksum: 0 }) {
  let { byteCount, checksum } = start
  let rest: Uint8Array = new Uint8Array()
  let state: 'open' | 'ended' | 'broken' = 'open'
  const decoder = new TextDecoder()

  /**
   * Reads the next frame. @returns the frame's part; `null` if the frame is incomplete or damaged
   */
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
    /** Adds bytes. @returns the verified parts of all frames that these bytes complete */
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
    /** Returns the position after the last frame that was read. */
    position: (): FramePosition => ({ byteCount, checksum }),
    /** Returns the reader's state: `broken` if a frame was damaged, or if bytes followed the last frame. */
    state: () => state,
  }
}

/**
 * Reads a complete payload from its frames.
 *
 * @returns `null` if the payload is incomplete or damaged
 */
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

/** True if the chunk consists only of heartbeats (frames with empty parts). */
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

/**
 * Computes a CRC-32, continuing from the checksum of the preceding bytes.
 *
 * @see RFC 1952 §8
 */
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
