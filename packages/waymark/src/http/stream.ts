import { neverThrows } from '../shared/neverThrows.ts'
import type { StreamedBody } from './response.ts'

/** A piece of output. React writes large pieces as strings and collects small ones as bytes. */
export type ByteChunk = string | Uint8Array

export function joinPieces(pieces: readonly ByteChunk[]): Buffer<ArrayBuffer> {
  return Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  )
}

export type ChunkListener = {
  piece(piece: ByteChunk): void
  /** Called when React has written everything that is ready. */
  flush?(): void
  end(): void
  fail(error: unknown): void
}

/** Buffered output of a renderer, for readers in the same process. */
export type ByteChannel = {
  readonly pieces: readonly ByteChunk[]
  readonly ended: boolean
  /** Passes on the chunks that were already written, then new chunks as they arrive. */
  listen(listener: ChunkListener): void
  readonly destination: NodeJS.WritableStream
}

const failed: ChunkListener = { piece() {}, end() {}, fail() {} }

type Listening = 'drain' | 'error' | 'close'

/**
 * Creates a destination for a renderer, which is faster than a Node stream.
 * @param refuse checks each chunk. If it returns an error, the channel fails
 * @param lastPiece returns a string to write at the end
 */
export function createByteChannel(
  refuse?: (piece: ByteChunk) => Error | null,
  lastPiece?: () => string,
): ByteChannel & { close(): void } {
  const pieces: ByteChunk[] = []
  const listeners: ChunkListener[] = []
  const calls: Partial<Record<Listening, () => void>> = {}
  let failure: { error: unknown } | null = null

  const destination = {
    write(piece: ByteChunk): boolean {
      if (failure) return true
      const refusal = refuse?.(piece)
      if (refusal) {
        destination.destroy(refusal)
        return true
      }
      pieces.push(piece)
      notifyAll(listeners, (listener) => listener.piece(piece))
      return true
    },
    flush(): void {
      notifyAll(listeners, (listener) => listener.flush?.())
    },
    end(): void {
      if (channel.ended) return
      if (lastPiece) destination.write(neverThrows(lastPiece, '')())
      channel.ended = true
      notifyAll(listeners, (listener) => listener.end())
    },
    destroy(error: unknown): void {
      if (channel.ended) return
      channel.ended = true
      failure = { error }
      notifyAll(listeners, (listener) => listener.fail(error))
    },
    on(event: Listening, call: () => void) {
      calls[event] = call
      return destination
    },
  }

  const channel = {
    pieces,
    ended: false,
    listen(listener: ChunkListener) {
      for (const piece of pieces) listener.piece(piece)
      if (failure) listener.fail(failure.error)
      else if (channel.ended) listener.end()
      else listeners.push(listener)
    },
    close() {
      calls.close?.()
    },
    // React's types require a Node stream, but React only uses five of its methods, so cast.
    destination: destination as unknown as NodeJS.WritableStream,
  }
  return channel
}

// Notifies all listeners and catches their errors. React calls this function from timers, so an
// error in one listener must reach neither React nor the other listeners.
function notifyAll(listeners: ChunkListener[], notify: (listener: ChunkListener) => void): void {
  for (const listener of listeners) {
    try {
      notify(listener)
    } catch (error) {
      listeners[listeners.indexOf(listener)] = failed
      neverThrows(listener.fail, undefined)(error)
    }
  }
}

/** Creates a queue that turns pushed chunks into an async iterable for one reader, which may leave early. */
export function createBodyQueue() {
  let ready: Uint8Array[] = []
  let hasEnded = false
  let hasLeft = false
  let failure: { readonly error: unknown } | null = null
  let wake = () => {}
  function body(onLeave: () => void): AsyncIterable<Uint8Array> {
    const leave = () => {
      if (hasEnded || hasLeft) return
      hasLeft = true
      ready = []
      onLeave()
      wake()
    }
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      while (!hasLeft && failure === null) {
        if (ready.length > 0) {
          const value = ready.length === 1 ? (ready[0] as Uint8Array) : Buffer.concat(ready)
          ready = []
          return { done: false, value }
        }
        if (hasEnded) break
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (hasLeft || failure === null) return over
      leave()
      throw failure.error
    }
    return {
      [Symbol.asyncIterator]: () => ({
        next,
        async return() {
          leave()
          return over
        },
      }),
    }
  }

  return {
    push(bytes: Uint8Array): void {
      if (!hasLeft) ready.push(bytes)
      wake()
    },
    end(): void {
      hasEnded = true
      wake()
    },
    fail(error: unknown): void {
      failure = { error }
      wake()
    },
    body,
  }
}

const over: IteratorReturnResult<undefined> = { done: true, value: undefined }

/** Reason for aborting a rendering. React reports it like an error, but it isn't logged. */
export const abandoned = new Error('The rendering was abandoned.')

export function ignoreAbandoned(onError: (thrown: unknown) => string): (thrown: unknown) => string {
  return (thrown) => (thrown === abandoned ? '' : onError(thrown))
}

export type BodyFollower = {
  readonly onChunk?: (bytes: Uint8Array) => void
  readonly onEnd: (isWhole: boolean) => void
  /** Called when the reader leaves. `rest` can close the body, or read the rest of it. */
  readonly onLeave: (rest: {
    readonly next: () => Promise<IteratorResult<Uint8Array>>
    readonly close: () => Promise<unknown>
  }) => unknown
}

/** Calls back once: when a body has ended or failed, or its reader has left. */
export function followToEnd(body: StreamedBody, onOver: (isWhole: boolean) => void): StreamedBody {
  let isOver = false
  const end = (isWhole: boolean) => {
    if (!isOver) onOver(isWhole)
    isOver = true
  }
  return followBody(body, {
    onEnd: end,
    onLeave({ close }) {
      end(false)
      return close()
    },
  })
}

/**
 * Observes how a body is read. Not a generator, which would notice too late that its reader has
 * left.
 */
export function followBody(body: StreamedBody, follower: BodyFollower): StreamedBody {
  const { stopHeartbeat, end } = body
  const { onChunk, onEnd, onLeave } = follower
  return {
    ...(stopHeartbeat && { stopHeartbeat }),
    ...(end && { end }),
    [Symbol.asyncIterator]() {
      const iterator = body[Symbol.asyncIterator]()
      async function next(): Promise<IteratorResult<Uint8Array>> {
        try {
          const result = await iterator.next()
          if (result.done) onEnd(true)
          else onChunk?.(result.value)
          return result
        } catch (error) {
          onEnd(false)
          throw error
        }
      }
      return {
        next,
        async return() {
          await onLeave({ next, close: async () => iterator.return?.() })
          return { done: true, value: undefined }
        },
      }
    },
  }
}

const heartbeatMs = 1000

/** Calls back every second, so that a slow server can send heartbeats. @returns a function that stops the calls */
export function startHeartbeat(write: () => void): () => void {
  const timer = setInterval(write, heartbeatMs)
  return () => clearInterval(timer)
}
