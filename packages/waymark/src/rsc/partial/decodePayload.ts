import { createFromReadableStream } from '@vitejs/plugin-rsc/rsc.node'
import type { ByteChannel, ByteChunk } from '../../shared/byteChannel.ts'
import type { Payload } from '../../shared/payload.ts'

/**
 * Decodes a payload in the environment that wrote it: client components stay what they are, and
 * the result can be written again.
 */
export function decodePayload(channel: Pick<ByteChannel, 'listen'>): Promise<Payload> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      channel.listen({
        piece: (piece) => controller.enqueue(bytesOf(piece)),
        end: () => controller.close(),
        fail: (error) => controller.error(error),
      })
    },
  })
  return createFromReadableStream<Payload>(stream)
}

/** Decodes as much of a payload as there is: what its rows leave open stays open. */
export function decodeOpenPayload(bytes: Uint8Array): Promise<Payload> {
  // A stream that ended would make failures of it.
  return decodePayload({ listen: (listener) => listener.piece(bytes) })
}

/** The pieces of a payload as bytes. */
export function bytesOfPieces(pieces: readonly ByteChunk[]): Buffer {
  return Buffer.concat(pieces.map(bytesOf))
}

function bytesOf(piece: ByteChunk): Uint8Array {
  return typeof piece === 'string' ? Buffer.from(piece) : piece
}
