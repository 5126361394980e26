import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import type { ByteChannel } from '../shared/byteChannel.ts'

/** Lets React's decoder read a channel: it asks of a stream its events only. */
export function channelStream(channel: ByteChannel): Readable {
  const stream = new EventEmitter()
  // The reader attaches its listeners in the call that it is given the stream in.
  queueMicrotask(() =>
    channel.listen({
      piece: (piece) => stream.emit('data', piece),
      end: () => stream.emit('end'),
      fail: (error) => stream.emit('error', error),
    }),
  )
  return stream as unknown as Readable
}
