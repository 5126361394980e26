import { heartbeatMs } from '../shared/messages.ts'
import type { StreamEnd, StreamEvent } from '../shared/streamEvents.ts'
import { encodeEnd, encodeEvent, encodeRetry, heartbeat } from './encodeEvent.ts'

export type EventStreamOptions = {
  readonly events: AsyncIterator<StreamEvent>
  /** The first event, which was asked for already. */
  readonly first: Promise<IteratorResult<StreamEvent>>
  readonly maxEventBytes: number
  /** For a reader that does not take what was written. */
  readonly stallMs: number
  /** Reports what the handler threw. @returns what the client may know of it */
  readonly fail: (thrown: unknown) => StreamEnd
  /** Called when the stream ends: the handler has to end, too. */
  readonly onEnd: () => void
  /** Called when the handler has ended. */
  readonly onOver: () => void
}

export type EventStream = {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>
  /** Ends it without an end mark: the client comes back after so many milliseconds. */
  interrupt(againAfterMs: number): void
  /** The client has left. */
  leave(): void
}

type Arrived =
  | { readonly kind: 'result'; readonly result: IteratorResult<StreamEvent> }
  | { readonly kind: 'thrown'; readonly thrown: unknown }

/** When an `EventSource` connects again after a cut: each at another time. */
const retryMs = () => 1_000 + Math.random() * 2_000

/**
 * A body of server-sent events. It asks for an event when its reader wants one, so that it never
 * holds more than one; where none comes, it writes a heartbeat.
 */
export function createEventStream(options: EventStreamOptions): EventStream {
  const { events, first, maxEventBytes, stallMs, fail, onEnd, onOver } = options
  let asked: Promise<void> | null = follow(first)
  let arrived: Arrived | null = null
  let lastPiece: Uint8Array<ArrayBuffer> | null = null
  let hasBegun = false
  let hasEnded = false
  let isCancelled = false
  let wake = () => {}
  let stalled: ReturnType<typeof setTimeout> | undefined

  function follow(next: Promise<IteratorResult<StreamEvent>>): Promise<void> {
    const arrive = (given: Arrived) => {
      asked = null
      if (hasEnded && given.kind === 'thrown') failLate(given.thrown)
      arrived = given
      wake()
    }
    return next.then(
      (result) => arrive({ kind: 'result', result }),
      (thrown: unknown) => arrive({ kind: 'thrown', thrown }),
    )
  }

  function failLate(thrown: unknown): void {
    if (Object(thrown).name !== 'AbortError') fail(thrown)
  }

  /** Waits for an event, the end, or the time of a heartbeat. */
  function news(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, heartbeatMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  function end(): void {
    if (hasEnded) return
    hasEnded = true
    clearTimeout(stalled)
    onEnd()
    wake()
    const returned = (async () => events.return?.())()
    void Promise.all([asked, returned.catch(failLate)]).then(onOver)
  }

  function takeArrived(given: Arrived): Uint8Array<ArrayBuffer> {
    arrived = null
    try {
      if (given.kind === 'thrown') throw given.thrown
      if (!given.result.done) return encodeEvent(given.result.value, maxEventBytes)
      lastPiece = encodeEnd({})
    } catch (thrown) {
      lastPiece = encodeEnd(fail(thrown))
    }
    end()
    return lastPiece
  }

  async function nextPiece(): Promise<Uint8Array<ArrayBuffer> | null> {
    if (!hasBegun) {
      hasBegun = true
      return encodeRetry(retryMs())
    }
    if (!arrived && !hasEnded) {
      asked ??= follow(events.next())
      await news()
    }
    if (hasEnded) return lastPiece
    return arrived ? takeArrived(arrived) : heartbeat
  }

  async function pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) {
    clearTimeout(stalled)
    const piece = await nextPiece()
    if (isCancelled) return
    if (piece) controller.enqueue(piece)
    if (hasEnded) return controller.close()
    stalled = setTimeout(() => {
      end()
      controller.error(new Error('The client does not read.'))
    }, stallMs)
  }

  function cancel(): void {
    isCancelled = true
    end()
  }

  return {
    // Nothing is read ahead of the client.
    body: new ReadableStream({ pull, cancel }, { highWaterMark: 0 }),
    interrupt(againAfterMs) {
      lastPiece ??= encodeRetry(againAfterMs)
      end()
    },
    leave: end,
  }
}
