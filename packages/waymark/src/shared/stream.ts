import { neverThrows } from './neverThrows.ts'

/** What React's server renderers write: text for large pieces, bytes for gathered small ones. */
export type ByteChunk = string | Uint8Array

/** Pieces as bytes, in one. */
export function joinPieces(pieces: readonly ByteChunk[]): Buffer<ArrayBuffer> {
  return Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  )
}

/** Receives the pieces of a channel, from the first on. */
export type ChunkListener = {
  piece(piece: ByteChunk): void
  /** Called at a boundary where React has written everything it had. */
  flush?(): void
  end(): void
  fail(error: unknown): void
}

/** One renderer's output, buffered in pieces, for readers in the same process. */
export type ByteChannel = {
  readonly pieces: readonly ByteChunk[]
  readonly ended: boolean
  /** Replays what has been written, then follows. */
  listen(listener: ChunkListener): void
  /** The side that React's `pipe` writes to. */
  readonly destination: NodeJS.WritableStream
}

const failed: ChunkListener = { piece() {}, end() {}, fail() {} }

type Listening = 'drain' | 'error' | 'close'

/**
 * Creates a channel. It costs two arrays, where a Node stream costs a state machine per write;
 * React asks no more of a destination than these methods.
 * @param refuse the reason why a piece must not go on: the channel then fails with it and drops the
 *   piece; `null` to let it pass
 */
export function createByteChannel(
  refuse?: (piece: ByteChunk) => Error | null,
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
    // React types its destination as Node's stream, and uses these five methods of it.
    destination: destination as unknown as NodeJS.WritableStream,
  }
  return channel
}

// React calls from timers and microtasks, and goes on with what it does: whoever fails to listen
// fails alone.
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

/**
 * Creates a queue that turns what is pushed into what is pulled: bytes for a body that arrives in
 * pieces. Pieces pushed while the reader is busy are joined into one.
 * @returns `body` is to be read once; its `onLeave` is called when the reader goes away before the
 *   end, at once, or the body breaks off
 */
export function createBodyQueue() {
  let ready: Uint8Array[] = []
  let hasEnded = false
  let hasLeft = false
  let failure: { readonly error: unknown } | null = null
  let wake = () => {}
  // No generator: a waiting one learns only with the next piece that its reader has left, and one
  // that was never started not at all.
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
    /** The body breaks off there: its reader gets the error. */
    fail(error: unknown): void {
      failure = { error }
      wake()
    },
    body,
  }
}

const over: IteratorReturnResult<undefined> = { done: true, value: undefined }

/**
 * The reason given to a renderer whose reader has left. React reports the reason of
 * an abort like an error; this one is none.
 */
export const abandoned = new Error('The rendering was abandoned.')

/** Keeps an abandoned rendering out of the reports. */
export function ignoreAbandoned(onError: (thrown: unknown) => string): (thrown: unknown) => string {
  return (thrown) => (thrown === abandoned ? '' : onError(thrown))
}
