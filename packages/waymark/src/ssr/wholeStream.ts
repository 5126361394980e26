import type { Readable } from 'node:stream'
import type { ByteChunk } from '../shared/byteChannel.ts'

/**
 * Hands a whole payload to React's decoder, which asks of a stream its events only. There is no
 * `end`: all rows are there, and at the end React would make an error for the missing ones.
 */
export function textStream(piece: ByteChunk): Readable {
  const stream = {
    on(event: string, listener: (piece: ByteChunk) => void) {
      if (event === 'data') listener(piece)
      return stream
    },
  }
  return stream as unknown as Readable
}
