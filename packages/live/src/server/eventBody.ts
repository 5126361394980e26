import { heartbeat } from '../shared/encodeEvent.ts'
import type { LiveMessage } from '../shared/messages.ts'

/** A response body of server-sent events. */
export type EventBody = AsyncIterable<Uint8Array> & {
  send(message: LiveMessage): void
  heartbeat(): void
  /** Tells the client when to connect again, and ends the body. */
  end(): void
}

// If this many bytes are waiting to be sent, we assume that the client has stopped reading. A message
// is only a few bytes long.
const maxWaitingBytes = 16_384
/** Milliseconds over which clients' reconnects are spread. */
const spreadMs = 5_000

/** @param onEnd called once when the body ends, its client leaves or its client stops reading */
export function createEventBody(onEnd: () => void): EventBody {
  const queue = createQueue(onEnd)
  const send = (message: LiveMessage) =>
    queue.push(Buffer.from(`data: ${JSON.stringify(message)}\n\n`))
  return {
    send,
    heartbeat: () => queue.push(heartbeat),
    end() {
      send({ againAfterMs: Math.round(Math.random() * spreadMs) })
      queue.end()
    },
    [Symbol.asyncIterator]: () => ({
      next: queue.next,
      async return() {
        queue.leave()
        return over
      },
    }),
  }
}

const over: IteratorReturnResult<undefined> = { done: true, value: undefined }

function createQueue(onEnd: () => void) {
  let pieces: Uint8Array[] = []
  let bytes = 0
  let isOver = false
  let wake = () => {}

  function end(): void {
    if (isOver) return
    isOver = true
    onEnd()
    wake()
  }
  function take(): Uint8Array {
    const all = pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces)
    pieces = []
    bytes = 0
    return all
  }
  function leave(): void {
    take()
    end()
  }
  return {
    push(piece: Uint8Array): void {
      if (isOver) return
      pieces.push(piece)
      bytes += piece.length
      if (bytes > maxWaitingBytes) leave()
      else wake()
    },
    async next(): Promise<IteratorResult<Uint8Array>> {
      while (pieces.length === 0 && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return pieces.length === 0 ? over : { done: false, value: take() }
    },
    end,
    leave,
  }
}
