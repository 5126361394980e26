/** An event that a handler yields. */
export type StreamEvent = {
  /**
   * Position after this event. A reconnecting client sends the id of the last event that it
   * received.
   */
  readonly id?: string | number
  /** Name of the event. Default: `message`. `end`, `error` and `open` are reserved. */
  readonly event?: string
  /** Data to send as JSON. Default: `null`. */
  readonly data?: unknown
}

/** Name of a stream's last event. A stream that stops without it was cut off. */
export const endEvent = 'end'

/** Data of the last event; empty if the handler ended normally. */
export type StreamEnd = {
  /** Digest of the error in the journal. */
  readonly digest?: string
  /** Status with which the handler refused the request after the response had begun. */
  readonly status?: number
}

/**
 * Name of the event that tells a client to read everything again, because events that it missed are
 * gone.
 */
export const resetEvent = 'reset'

/** Names that events can't have. `EventSource` uses `error` and `open` itself. */
export const reservedEvents: readonly string[] = [endEvent, 'error', 'open']

/** URL parameter with the position, for clients that can't send `last-event-id`. */
export const positionParam = 'lastEventId'

/** True if a string can be a position. Positions must also fit into a header. */
export function isPosition(text: string): boolean {
  return /^[!-~]{1,200}$/.test(text)
}

/** Maximum size of an event as JSON. Handlers can't yield larger events, and clients don't read them. */
export const largestEventBytes = 1_000_000
