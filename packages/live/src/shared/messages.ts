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
 * Message from the server about a request's subscriptions. Their indexes in the request identify
 * them.
 */
export type LiveMessage = {
  readonly changed?: readonly number[]
  /**
   * Subscriptions from a different session or with different keys, or that are too old. Page data
   * contains new ones.
   */
  readonly gone?: readonly number[]
  /**
   * Milliseconds after which the client should reconnect, because the server is ending this
   * connection.
   */
  readonly againAfterMs?: number
  /**
   * Id of the process that announces the change, sent once per connection. Other processes may
   * learn about the change a little later.
   */
  readonly from?: string
}

export const maxRequestBytes = 256 * 1024
export const maxPages = 64

/** Interval at which the server writes a heartbeat while nothing changes. */
export const heartbeatMs = 15_000
