import { renderToPipeableStream } from '@vitejs/plugin-rsc/rsc.node'
import type { AnswerBody } from '../shared/answer.ts'
import { createBodyQueue } from '../shared/bodyQueue.ts'
import { type ByteChannel, createByteChannel, type Piece } from '../shared/byteChannel.ts'

/** A payload being written. */
export type FlightRender = { readonly channel: ByteChannel; abort(reason: unknown): void }

/**
 * Writes a model as Flight.
 * @param onError is told of what a component threw; its answer is all that the client gets
 */
export function renderFlight(model: unknown, onError: (thrown: unknown) => string): FlightRender {
  const channel = createByteChannel()
  const { pipe, abort } = renderToPipeableStream(model, { onError })
  pipe(channel.destination)
  return { channel, abort }
}

/**
 * Waits for a channel that may end at once: as long as React needs to write what is ready, and
 * no longer. What waits for nothing ends in the microtasks of its request; a task that was
 * resumed later is run by one `setImmediate`, and written by another.
 */
export async function endsSoon(channel: ByteChannel): Promise<void> {
  for (let turn = 0; turn < 2 && !channel.ended; turn++) await new Promise(setImmediate)
}

/** A channel as a body: whole if it has ended, else as it comes. */
export function channelBody(channel: ByteChannel, abort: (reason: unknown) => void): AnswerBody {
  return channel.ended ? Buffer.concat(channel.pieces.map(bytesOf)) : follow(channel, abort)
}

function follow(channel: ByteChannel, abort: (reason: unknown) => void): AsyncIterable<Uint8Array> {
  const queue = createBodyQueue()
  channel.listen({ ...queue, piece: (piece) => queue.push(bytesOf(piece)) })
  return queue.body(() => abort(new Error('The client went away.')))
}

function bytesOf(piece: Piece): Uint8Array {
  return typeof piece === 'string' ? Buffer.from(piece) : piece
}
