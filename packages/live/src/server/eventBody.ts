import type { LiveMessage } from '../shared/messages.ts'

/** A response body of server-sent events. */
export type EventBody = AsyncIterable<Uint8Array> & {
  readonly isOpenEnded: true
  send(message: LiveMessage): void
  heartbeat(): void
  end(): void
}

// A reader that does not take messages of a few bytes does not read.
const maxWaitingBytes = 16_384
const comment = Buffer.from(':\n\n')

/** @param onEnd called once: it was ended, or its reader has left or does not read */
export function createEventBody(onEnd: () => void): EventBody {
  let waiting: Uint8Array[] = []
  let bytes = 0
  let isOver = false
  let wake: (() => void) | null = null

  function push(piece: Uint8Array): void {
    if (isOver) return
    waiting.push(piece)
    bytes += piece.length
    if (bytes > maxWaitingBytes) leave()
    wake?.()
  }
  function end(): void {
    if (isOver) return
    isOver = true
    onEnd()
    wake?.()
  }
  function leave(): void {
    waiting = []
    bytes = 0
    end()
  }
  async function next(): Promise<IteratorResult<Uint8Array>> {
    while (waiting.length === 0 && !isOver) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      wake = null
    }
    if (waiting.length === 0) return { done: true, value: undefined }
    const value = waiting.length === 1 ? (waiting[0] as Uint8Array) : Buffer.concat(waiting)
    waiting = []
    bytes = 0
    return { done: false, value }
  }
  return {
    isOpenEnded: true,
    send: (message) => push(Buffer.from(`data: ${JSON.stringify(message)}\n\n`)),
    heartbeat: () => push(comment),
    end,
    [Symbol.asyncIterator]: () => ({
      next,
      async return() {
        leave()
        return { done: true, value: undefined }
      },
    }),
  }
}
