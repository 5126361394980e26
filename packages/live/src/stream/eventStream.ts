import { encodeEnd, encodeEvent, encodeRetry, heartbeat } from '../shared/encodeEvent.ts'
import { heartbeatMs } from '../shared/messages.ts'
import type { StreamEnd, StreamEvent } from '../shared/streamEvents.ts'

export type EventStreamOptions = {
  readonly events: AsyncIterator<StreamEvent>
  /** The first event, which has already been requested. */
  readonly first: Promise<IteratorResult<StreamEvent>>
  readonly maxEventBytes: number
  /** Milliseconds after which a client that doesn't read is dropped. */
  readonly stallMs: number
  /** Reports an error that the handler threw. @returns the details that the client may see */
  readonly fail: (thrown: unknown) => StreamEnd
  /** Called when the stream ends, so that the handler ends, too. */
  readonly onEnd: () => void
  /** Called when the handler has ended. */
  readonly onOver: () => void
}

export type EventStream = {
  readonly body: ReadableStream<Piece>
  /**
   * Ends the stream without an end mark, so that the client reconnects, after this many
   * milliseconds.
   */
  interrupt(againAfterMs: number): void
  /** Called when the client has left. */
  leave(): void
}

/**
 * Random milliseconds after which an `EventSource` reconnects, so that clients don't all return at
 * once.
 */
const retryMs = () => 1_000 + Math.random() * 2_000

/**
 * Creates a body of server-sent events. It only asks for an event when the client reads, so it
 * never buffers more than one. While no event comes, it sends heartbeats.
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

/** True for the error with which waiting code rejects when its signal aborts. */
export function isAbort(thrown: unknown): boolean {
  return Object(thrown).name === 'AbortError'
}

type Piece = Uint8Array<ArrayBuffer>

type BodyOptions = {
  /** @returns the next piece; `null` at the end of the body */
  readonly next: () => Promise<Piece | null>
  /** True after the body's last piece. */
  readonly isLast: () => boolean
  /** Called when the client has left or doesn't read. */
  readonly leave: () => void
  readonly stallMs: number
}

/** Creates a body that asks for a piece whenever the client reads. */
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
      controller.error(new Error('The client stopped reading the stream.'))
    }, stallMs)
  }

  function cancel(): void {
    isCancelled = true
    clearTimeout(stalled)
    leave()
  }

  // By default, a stream asks for a piece before the client reads.
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
    /** @returns `null` if no event comes in time or the source is closed */
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
    /** @returns a promise that settles when the handler has ended */
    async close(onThrown: (thrown: unknown) => void): Promise<void> {
      wake()
      const returned = (async () => events.return?.())()
      await Promise.all([pendingRead, returned.catch(onThrown)])
      if (arrived?.kind === 'thrown') onThrown(arrived.thrown)
    },
  }
}
