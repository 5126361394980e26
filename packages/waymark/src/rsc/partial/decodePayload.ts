import { createFromReadableStream } from '@vitejs/plugin-rsc/rsc.node'
import type { Payload } from '../../shared/payload.ts'
import type { ByteChannel } from '../../shared/stream.ts'

/**
 * Decodes a payload in the environment that wrote it: client components stay what they are, and
 * the result can be written again.
 */
export function decodePayload(channel: Pick<ByteChannel, 'listen'>): Promise<Payload> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      channel.listen({
        piece: (piece) =>
          controller.enqueue(typeof piece === 'string' ? Buffer.from(piece) : piece),
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
