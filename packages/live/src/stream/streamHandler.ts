import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type CurrentRequest,
  clientNetwork,
  currentRequest,
  signalStatus,
} from 'waymark/plugin/server'
import type { RouteHandlerContext } from 'waymark/server'
import { createConnectionLimit } from '../shared/connectionLimit.ts'
import {
  isPosition,
  largestEventBytes,
  positionParam,
  type StreamEnd,
  type StreamEvent,
} from '../shared/streamEvents.ts'
import { createEventStream, isAbort } from './eventStream.ts'

type AnyParams = Record<string, string | string[]>

/** Second argument of a function that is passed to `stream()`. */
export type StreamContext<Given = AnyParams> = RouteHandlerContext<Given> & {
  /** Id of the last event that the client has; `null` on its first connection. */
  readonly since: string | null
  /** Aborts when the client leaves or the stream ends. Pass it to everything that waits. */
  readonly signal: AbortSignal
}

/** An async generator, or a function that checks the request and returns an async iterable. */
export type StreamFunction<Given = AnyParams> = (
  request: Request,
  context: StreamContext<Given>,
) => AsyncIterable<StreamEvent> | Promise<AsyncIterable<StreamEvent>>

/** Options of `stream()`. */
export type StreamOptions = {
  /** Milliseconds after which the client reconnects with its current cookies. Default: 5 min. */
  readonly maxLifeMs?: number
  /** Maximum size of one event in bytes. Default: 64 kB, at most 1 MB. */
  readonly maxEventBytes?: number
  /** Milliseconds after which a client that doesn't read is dropped. Default: 30 s. */
  readonly stallMs?: number
}

const defaults = { maxLifeMs: 5 * 60_000, maxEventBytes: 64 * 1024, stallMs: 30_000 }
/**
 * Milliseconds that a response waits for the first event. A refusal within this time sets the
 * status.
 */
const firstEventMs = 500
/**
 * Milliseconds over which clients' reconnects are spread, after a stream's maximum life and after a
 * server shutdown.
 */
const spreadMs = { life: 1_000, drain: 5_000 }

const limit = createConnectionLimit()
const mostStreams = { inAll: 10_000, perClient: 200 }

/**
 * Creates a route handler that responds with server-sent events. If the function throws before its
 * first event, the response has the error's status. A later error ends the stream, and the client
 * only gets its digest.
 * @example export const GET = stream(async function* (request, { since, signal }) { for await
 * (const { id, text } of messagesAfter(since, signal)) yield { id, data: text } })
 */
export function stream<Given = AnyParams>(
  run: StreamFunction<Given>,
  options: StreamOptions = {},
): (request: Request, context: RouteHandlerContext<Given>) => Promise<Response> {
  const limits = { ...defaults, ...options }
  limits.maxEventBytes = Math.min(limits.maxEventBytes, largestEventBytes)
  return async (request, { params }) => {
    const since = readPosition(request)
    if (since === undefined) return refuse(400)
    const current = currentRequest()
    const releasePlace = limit.take(current ? clientNetwork(current.request) : null, mostStreams)
    if (!releasePlace) return refuse(503)
    const gone = new AbortController()
    const leave = () => gone.abort()
    request.signal.addEventListener('abort', leave)
    if (request.signal.aborted) leave()
    try {
      const started = await start(() => run(request, { params, since, signal: gone.signal }))
      const onOver = () => {
        request.signal.removeEventListener('abort', leave)
        releasePlace()
      }
      const fail = (thrown: unknown) => endOf(thrown, current)
      return respond({ ...started, ...limits, gone, fail, onOver })
    } catch (thrown) {
      releasePlace()
      // If the client has left, the error comes from aborting, and nobody gets the response.
      if (gone.signal.aborted && isAbort(thrown)) return refuse(503)
      leave()
      throw thrown
    }
  }
}

type Started = Pick<Parameters<typeof createEventStream>[0], 'events' | 'first'>

/** Runs the function until its first event, or until the response shouldn't wait any longer. */
async function start(run: () => ReturnType<StreamFunction>): Promise<Started> {
  const iterable = await run()
  if (typeof Object(iterable)[Symbol.asyncIterator] !== 'function') {
    throw new TypeError(
      "The function passed to stream() doesn't return an async iterable. Pass an async generator function, or return an async iterable.",
    )
  }
  const iterator = iterable[Symbol.asyncIterator]()
  // The stream is read outside of the request's async context, which `cookies()` needs, so run the
  // handler in it.
  const inContext = AsyncLocalStorage.snapshot()
  const events = {
    next: () => inContext(() => iterator.next()),
    return: () => inContext(async () => iterator.return?.() ?? over),
  }
  const first = events.next()
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, firstEventMs)
  })
  await Promise.race([first, deadline]).finally(() => clearTimeout(timer))
  return { events, first }
}

const over = { done: true, value: undefined } as const

type Responding = Omit<Parameters<typeof createEventStream>[0], 'onEnd'> & {
  readonly maxLifeMs: number
  readonly gone: AbortController
}

function respond({ maxLifeMs, gone, ...streamOptions }: Responding): Response {
  const life = setTimeout(
    () => events.interrupt(Math.random() * spreadMs.life),
    maxLifeMs * (0.8 + Math.random() * 0.2),
  )
  const events = createEventStream({
    ...streamOptions,
    onEnd() {
      clearTimeout(life)
      gone.abort()
    },
  })
  gone.signal.addEventListener('abort', events.leave)
  if (gone.signal.aborted) events.leave()
  // The server calls this when it shuts down, because it doesn't wait for endless bodies.
  const end = () => events.interrupt(Math.random() * spreadMs.drain)
  return new Response(Object.assign(events.body, { end }), { headers })
}

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // Makes nginx pass on each event at once.
  'x-accel-buffering': 'no',
}

/** @returns `undefined` for an invalid position */
function readPosition({ headers, url }: Request): string | null | undefined {
  const position = headers.get('last-event-id') || new URL(url).searchParams.get(positionParam)
  if (!position) return null
  return isPosition(position) ? position : undefined
}

function refuse(status: 400 | 503): Response {
  const again = status === 503 ? { 'retry-after': '5' } : undefined
  return new Response(null, { status, headers: { 'cache-control': 'no-store', ...again } })
}

function endOf(thrown: unknown, current: CurrentRequest | null): StreamEnd {
  const status = signalStatus(thrown)
  if (status !== null) return { status }
  if (current) return { digest: current.reportError(thrown) }
  console.error(thrown)
  return { digest: '' }
}
