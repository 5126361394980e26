import { renderToPipeableStream } from '@vitejs/plugin-rsc/rsc.node'
import { abandoned, ignoringAbandoned } from '../shared/abandoned.ts'
import type { AnswerBody } from '../shared/answer.ts'
import { createBodyQueue } from '../shared/bodyQueue.ts'
import { type ByteChannel, createByteChannel, type Piece } from '../shared/byteChannel.ts'

/** A payload being written. */
export type FlightRender = {
  readonly channel: ByteChannel
  /** Stops the rendering: nobody wants it any more. */
  abandon(): void
}

/**
 * Writes a model as Flight.
 * @param onError is told of what a component threw; its answer is all that the client gets
 */
export function renderFlight(model: unknown, onError: (thrown: unknown) => string): FlightRender {
  const channel = createByteChannel()
  const { pipe, abort } = renderToPipeableStream(model, { onError: ignoringAbandoned(onError) })
  pipe(channel.destination)
  return { channel, abandon: () => abort(abandoned) }
}

/**
 * Waits for a channel that may end at once: as long as React needs to write what is ready, and
 * no longer. What waits for nothing ends in the microtasks of its request; a task that was
 * resumed later is run by one `setImmediate`, and written by another.
 */
export async function endsSoon(channel: ByteChannel): Promise<void> {
  for (let turn = 0; turn < 2 && !channel.ended; turn++) await new Promise(setImmediate)
}

/** Waits for a channel's end. */
export function ends(channel: ByteChannel): Promise<void> {
  return new Promise((resolve) => {
    channel.listen({ piece() {}, end: resolve, fail: () => resolve() })
  })
}

/** A payload as a body: whole if it has ended, else as it comes. */
export function flightBody(render: FlightRender): AnswerBody {
  const { channel } = render
  return channel.ended ? Buffer.concat(channel.pieces.map(bytesOf)) : follow(render)
}

function follow({ channel, abandon }: FlightRender): AsyncIterable<Uint8Array> {
  const queue = createBodyQueue()
  channel.listen({ ...queue, piece: (piece) => queue.push(bytesOf(piece)) })
  return queue.body(abandon)
}

function bytesOf(piece: Piece): Uint8Array {
  return typeof piece === 'string' ? Buffer.from(piece) : piece
}
