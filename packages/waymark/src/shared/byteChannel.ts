import { neverThrows } from './neverThrows.ts'

/** What React's server renderers write: text for large pieces, bytes for gathered small ones. */
export type ByteChunk = string | Uint8Array

/** Receives the pieces of a channel, from the first on. */
export type ChunkListener = {
  piece(piece: ByteChunk): void
  /** Called at a boundary where React has written everything it had. */
  flush?(): void
  end(): void
  fail(error: unknown): void
}

/** One renderer's output, kept as pieces, for readers in the same process. */
export type ByteChannel = {
  readonly pieces: readonly ByteChunk[]
  readonly ended: boolean
  /** Replays what has been written, then follows. */
  listen(listener: ChunkListener): void
  /** The side that React's `pipe` writes to. */
  readonly destination: NodeJS.WritableStream
}

const nobody: ChunkListener = { piece() {}, end() {}, fail() {} }

type Listening = 'drain' | 'error' | 'close'

/**
 * Makes a channel. It costs two arrays, where a Node stream costs a state machine per write;
 * React asks no more of a destination than these methods.
 * @param refuse tells why a piece must not go on; the channel then fails with it, unread
 */
export function createByteChannel(
  refuse?: (piece: ByteChunk) => Error | null,
): ByteChannel & { close(): void } {
  const pieces: ByteChunk[] = []
  const listeners: ChunkListener[] = []
  const heard: Partial<Record<Listening, () => void>> = {}
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
      tellAll(listeners, (listener) => listener.piece(piece))
      return true
    },
    flush(): void {
      tellAll(listeners, (listener) => listener.flush?.())
    },
    end(): void {
      if (channel.ended) return
      channel.ended = true
      tellAll(listeners, (listener) => listener.end())
    },
    destroy(error: unknown): void {
      if (channel.ended) return
      channel.ended = true
      failure = { error }
      tellAll(listeners, (listener) => listener.fail(error))
    },
    on(event: Listening, call: () => void) {
      heard[event] = call
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
      heard.close?.()
    },
    // React types its destination as Node's stream, and uses these five methods of it.
    destination: destination as unknown as NodeJS.WritableStream,
  }
  return channel
}

// React calls from timers and microtasks, and goes on with what it does: whoever fails to listen
// fails alone.
function tellAll(listeners: ChunkListener[], tell: (listener: ChunkListener) => void): void {
  for (const listener of listeners) {
    try {
      tell(listener)
    } catch (error) {
      listeners[listeners.indexOf(listener)] = nobody
      neverThrows(listener.fail, undefined)(error)
    }
  }
}
