import { refusalOf } from 'waymark/plugin/client'
import type { StreamMessage } from '../shared/eventParser.ts'
import { heartbeatMs } from '../shared/messages.ts'
import { readMessages } from '../shared/readMessages.ts'
import { endEvent, isPosition, type StreamEnd } from '../shared/streamEvents.ts'

/** An event of a stream. */
export type ReceivedEvent<Data = unknown> = {
  /** Id of this event, or of the last one that had an id. */
  readonly id: string | null
  readonly event: string
  readonly data: Data
}

/** How a response ended. */
export type StreamOutcome =
  /** The handler has ended. */
  | { readonly kind: 'ended' }
  /** The site refuses the stream and would refuse it again. */
  | { readonly kind: 'refused'; readonly status: number }
  /** The handler threw an error, or the response has a temporary status. */
  | {
      readonly kind: 'failed'
      readonly status: number | null
      readonly digest: string | null
      readonly afterMs: number
    }
  /** The server asks the client to reconnect. */
  | { readonly kind: 'again'; readonly afterMs: number }
  /** The response broke off, was silent for too long, or was ended by a proxy. */
  | { readonly kind: 'cut' }

type ReadStreamOptions = {
  readonly url: string
  readonly lastId: string | null
  /** Its signal stops the reading. Aborted when the reading ends. */
  readonly controller: AbortController
  readonly fetch: typeof fetch
  readonly onOpen: () => void
  /** Called when an event or a comment has arrived. */
  readonly onProgress: () => void
  readonly onEvent: (event: ReceivedEvent) => void
}

/**
 * Milliseconds of silence after which the stream counts as cut off. The server sends heartbeats
 * more often than this.
 */
const silenceMs = 2 * heartbeatMs + 5_000
const longestAfterMs = 300_000

/** Requests a stream and reads it to its end. @throws the error of `fetch` if the connection is lost */
export async function readStream(options: ReadStreamOptions): Promise<StreamOutcome> {
  const { url, lastId, controller, fetch: send, onOpen, onProgress, onEvent } = options
  let silence: ReturnType<typeof setTimeout> | undefined
  const listen = () => {
    clearTimeout(silence)
    silence = setTimeout(() => controller.abort(), silenceMs)
  }
  listen()
  try {
    const headers = {
      accept: 'text/event-stream',
      ...(lastId === null ? {} : { 'last-event-id': lastId }),
    }
    const response = await send(url, { headers, cache: 'no-store', signal: controller.signal })
    const withoutStream = outcomeWithoutStream(response)
    if (withoutStream) return withoutStream
    onOpen()
    const ending = { planned: null as StreamOutcome | null, isFirst: true }
    for await (const message of readMessages(response, listen)) {
      if (controller.signal.aborted) break
      const outcome = readMessage(message, ending, onEvent)
      if (outcome) return outcome
      if (message.kind !== 'retry') onProgress()
    }
    return ending.planned ?? { kind: 'cut' }
  } finally {
    clearTimeout(silence)
    controller.abort()
  }
}

type Ending = { planned: StreamOutcome | null; isFirst: boolean }

/**
 * @param ending the outcome if the response ends without an end mark. Before the server ends a
 * stream on purpose, it sends `retry`
 */
function readMessage(
  message: StreamMessage,
  ending: Ending,
  onEvent: (event: ReceivedEvent) => void,
): StreamOutcome | null {
  const { isFirst } = ending
  ending.isFirst = false
  ending.planned = null
  switch (message.kind) {
    case 'comment':
      return null
    case 'retry':
      if (!isFirst) ending.planned = { kind: 'again', afterMs: bounded(message.afterMs) }
      return null
    case 'event': {
      const data: unknown = JSON.parse(message.data)
      if (message.event === endEvent) return outcomeOf(Object(data) as StreamEnd)
      const id = message.id !== null && isPosition(message.id) ? message.id : null
      onEvent({ id, event: message.event, data })
      return null
    }
  }
}

function outcomeOf({ digest, status }: StreamEnd): StreamOutcome {
  if (typeof status === 'number') return refused(status, 0)
  if (digest === undefined) return { kind: 'ended' }
  return { kind: 'failed', status: null, digest: String(digest), afterMs: 0 }
}

/** @returns `null` if the response is a stream */
function outcomeWithoutStream(response: Response): StreamOutcome | null {
  const { status, headers, body, redirected } = response
  const isStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')
  if (status === 200 && isStream) return null
  body?.cancel().catch(() => {})
  const afterMs = Number(headers.get('retry-after')) * 1_000
  // A gateway or a captive portal may respond in place of the site for a while, so try again.
  if (refusalOf(response) === null) return failed(status, afterMs)
  // A 204 tells the client to stop reconnecting (HTML standard, § 9.2.3).
  if (status === 204) return { kind: 'ended' }
  // A redirect most likely leads to a sign-in page, so report it as a 401.
  if (redirected && status === 200) return { kind: 'refused', status: 401 }
  return refused(status, afterMs)
}

/** Statuses below 500 that are temporary. */
const passing: ReadonlySet<number> = new Set([200, 408, 425, 429])

function refused(status: number, afterMs: number): StreamOutcome {
  if (status < 500 && !passing.has(status)) return { kind: 'refused', status }
  return failed(status, afterMs)
}

function failed(status: number, afterMs: number): StreamOutcome {
  return { kind: 'failed', status, digest: null, afterMs: bounded(afterMs) }
}

function bounded(ms: number): number {
  return ms > 0 ? Math.min(ms, longestAfterMs) : 0
}
