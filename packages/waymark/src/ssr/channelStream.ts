import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import type { ByteChannel } from '../shared/byteChannel.ts'

/**
 * Lets React's decoder read a channel: it asks of a stream its events only. They come in the
 * context of the caller, not of who writes to the channel: a module that is loaded for one of
 * them gives its styles to the render that decodes.
 */
export function channelStream(channel: ByteChannel): Readable {
  const stream = new EventEmitter()
  const inContext = AsyncLocalStorage.snapshot()
  // The reader attaches its listeners in the call that it is given the stream in.
  queueMicrotask(() =>
    channel.listen({
      piece: (piece) => inContext(() => stream.emit('data', piece)),
      end: () => inContext(() => stream.emit('end')),
      fail: (error) => inContext(() => stream.emit('error', error)),
    }),
  )
  return stream as unknown as Readable
}
