/** URL at which pages ask for changes and wait for them. */
export const livePath = '/_waymark/live'

export const eventStream = 'text/event-stream'

/** Request that a page sends. */
export type LiveRequest = {
  /** Subscriptions, as sealed by the server. */
  readonly pages: readonly string[]
  /** True if the page waits for later changes. */
  readonly wait: boolean
}

/**
 * Message from the server about a request's subscriptions, which are identified by their index in the
 * request.
 */
export type LiveMessage = {
  readonly changed?: readonly number[]
  /**
   * Subscriptions from a different session, made with different keys, or too old. Fetching page data
   * returns new ones.
   */
  readonly gone?: readonly number[]
  /** Milliseconds after which the client should reconnect, because the server ends this connection. */
  readonly againAfterMs?: number
  /**
   * Id of the process that announces the change, sent once per connection. Other processes may learn of
   * the change a little later.
   */
  readonly from?: string
}

export const maxRequestBytes = 256 * 1024
export const maxPages = 64

/** Interval at which the server writes a heartbeat while nothing changes. */
export const heartbeatMs = 15_000
