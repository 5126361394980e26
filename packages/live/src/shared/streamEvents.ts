/** An event, as a handler yields it. */
export type StreamEvent = {
  /** The position after this event: a client that comes back says the last one that it has. */
  readonly id?: string | number
  /** `message` without one; not `end`, `error` or `open`. */
  readonly event?: string
  /** Sent as JSON; `null` without one. */
  readonly data?: unknown
}

/** The last event of a stream. A stream that stops without it was cut on its way. */
export const endEvent = 'end'

/** What the last event says; nothing where the handler has ended. */
export type StreamEnd = {
  /** Of the error in the journal. */
  readonly digest?: string
  /** Of a refusal that came after the response had begun. */
  readonly status?: number
}

/** Tells a client that what came after its position is gone: it has to read everything again. */
export const resetEvent = 'reset'

/** The rest have a meaning of their own in an `EventSource`. */
export const reservedEvents: readonly string[] = [endEvent, 'error', 'open']

/** The position in a URL, for clients that can't send `last-event-id`. */
export const positionParam = 'lastEventId'

/** Also what a header can hold. */
export function isPosition(text: string): boolean {
  return /^[!-~]{1,200}$/.test(text)
}

/** No handler may yield an event of more bytes as JSON, nor does a client read one. */
export const largestEventBytes = 1_000_000
