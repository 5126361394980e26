import { crc32 } from 'node:zlib'
import {
  frameOverheadBytes,
  maxFrameBytes,
  writeFrameChecksum,
  writeFrameHead,
  writeFrameMark,
} from '../wire/frames.ts'
import { type ByteChunk, joinPieces } from './stream.ts'

/** Creates a writer that splits a payload into frames. `wire/frames.ts` describes the format of a frame. */
export function createFrameWriter() {
  let checksum = 0
  return {
    /**
     * Returns a frame. @param pieces a part of the payload. Without pieces, the frame is a
     * heartbeat
     */
    write(pieces: readonly ByteChunk[], isLast: boolean): Buffer {
      const payload = joinPieces(pieces)
      const count = Math.max(1, Math.ceil(payload.length / maxFrameBytes))
      const bytes = Buffer.allocUnsafe(payload.length + count * frameOverheadBytes)
      let at = 0
      for (let index = 0; index < count; index++) {
        const start = at
        const part = payload.subarray(index * maxFrameBytes, (index + 1) * maxFrameBytes)
        at += bytes.write(writeFrameHead(part.length), at)
        at += part.copy(bytes, at)
        at += bytes.write(writeFrameMark(isLast && index === count - 1), at)
        checksum = crc32(bytes.subarray(start, at), checksum)
        const written = bytes.write(writeFrameChecksum(checksum), at)
        checksum = crc32(bytes.subarray(at, at + written), checksum)
        at += written
      }
      return bytes
    },
  }
}
