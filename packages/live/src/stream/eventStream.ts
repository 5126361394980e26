import { encodeEnd, encodeEvent, encodeRetry, heartbeat } from '../shared/encodeEvent.ts'
import { heartbeatMs } from '../shared/messages.ts'
import type { StreamEnd, StreamEvent } from '../shared/streamEvents.ts'

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
  readonly body: ReadableStream<Piece>
  /** Ends it without an end mark: the client comes back after so many milliseconds. */
  interrupt(againAfterMs: number): void
  /** The client has left. */
  leave(): void
}

/** When an `EventSource` connects again after a cut: each at another time. */
const retryMs = () => 1_000 + Math.random() * 2_000

/**
 * A body of server-sent events. It asks for an event when its reader wants one, so that it never
 * holds more than one; where none comes, it writes a heartbeat.
 */
export function createEventStream(options: EventStreamOptions): EventStream {
  const { maxEventBytes, stallMs, fail, onEnd, onOver } = options
  const source = createSource(options.events, options.first)
  let lastPiece: Piece | null = null
  let hasBegun = false
  let hasEnded = false

  function end(): void {
    if (hasEnded) return
    hasEnded = true
    onEnd()
    const failAfterEnd = (thrown: unknown) => {
      if (!isAbort(thrown)) fail(thrown)
    }
    void source.close(failAfterEnd).then(onOver)
  }

  function pieceOf(arrived: Arrived): Piece {
    try {
      if (arrived.kind === 'thrown') throw arrived.thrown
      if (!arrived.result.done) return encodeEvent(arrived.result.value, maxEventBytes)
      lastPiece = encodeEnd({})
    } catch (thrown) {
      lastPiece = encodeEnd(fail(thrown))
    }
    end()
    return lastPiece
  }

  async function nextPiece(): Promise<Piece | null> {
    const isFirst = !hasBegun
    hasBegun = true
    if (isFirst) return encodeRetry(retryMs())
    const arrived = hasEnded ? null : await source.take(heartbeatMs)
    if (hasEnded) return lastPiece
    return arrived ? pieceOf(arrived) : heartbeat
  }

  return {
    body: createBody({ next: nextPiece, isLast: () => hasEnded, leave: end, stallMs }),
    interrupt(againAfterMs) {
      lastPiece ??= encodeRetry(againAfterMs)
      end()
    },
    leave: end,
  }
}

/** What waits throws this when its signal aborts. */
export function isAbort(thrown: unknown): boolean {
  return Object(thrown).name === 'AbortError'
}

type Piece = Uint8Array<ArrayBuffer>

type BodyOptions = {
  /** @returns `null`: there is nothing more */
  readonly next: () => Promise<Piece | null>
  /** True if the previous piece was the last one. */
  readonly isLast: () => boolean
  /** The client has left, or does not read. */
  readonly leave: () => void
  readonly stallMs: number
}

/** A body that asks for a piece when its reader wants one. */
function createBody({ next, isLast, leave, stallMs }: BodyOptions): ReadableStream<Piece> {
  let isCancelled = false
  let stalled: ReturnType<typeof setTimeout> | undefined

  async function pull(controller: ReadableStreamDefaultController<Piece>): Promise<void> {
    clearTimeout(stalled)
    const piece = await next()
    if (isCancelled) return
    if (piece) controller.enqueue(piece)
    if (isLast()) return controller.close()
    stalled = setTimeout(() => {
      leave()
      controller.error(new Error('The client does not read.'))
    }, stallMs)
  }

  function cancel(): void {
    isCancelled = true
    clearTimeout(stalled)
    leave()
  }

  // Nothing is read ahead of the client.
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
}

type Arrived =
  | { readonly kind: 'result'; readonly result: IteratorResult<StreamEvent> }
  | { readonly kind: 'thrown'; readonly thrown: unknown }

/** Asks a handler for one event at a time. */
function createSource(events: AsyncIterator<StreamEvent>, first: EventStreamOptions['first']) {
  let arrived: Arrived | null = null
  let wake = () => {}
  let pendingRead: Promise<void> | null = follow(first)

  function follow(next: Promise<IteratorResult<StreamEvent>>): Promise<void> {
    const arrive = (outcome: Arrived) => {
      pendingRead = null
      arrived = outcome
      wake()
    }
    return next.then(
      (result) => arrive({ kind: 'result', result }),
      (thrown: unknown) => arrive({ kind: 'thrown', thrown }),
    )
  }

  return {
    /** @returns `null` when nothing has come within the time, or the source is closed */
    async take(withinMs: number): Promise<Arrived | null> {
      if (!arrived) {
        pendingRead ??= follow(events.next())
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, withinMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      const outcome = arrived
      arrived = null
      return outcome
    },
    /** @returns settles when the handler has ended */
    async close(onThrown: (thrown: unknown) => void): Promise<void> {
      wake()
      const returned = (async () => events.return?.())()
      await Promise.all([pendingRead, returned.catch(onThrown)])
      if (arrived?.kind === 'thrown') onThrown(arrived.thrown)
    },
  }
}
