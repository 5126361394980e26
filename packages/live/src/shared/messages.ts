/** URL at which pages ask for changes and wait for them. */
export const livePath = '/_waymark/live'

export const eventStream = 'text/event-stream'

/** Request of a page. */
export type LiveRequest = {
  /** Subscriptions, as sealed by the server. */
  readonly pages: readonly string[]
  /** True if the page waits for later changes. */
  readonly wait: boolean
}

/** The server's message about the subscriptions of a request, which are named by their index in it. */
export type LiveMessage = {
  readonly changed?: readonly number[]
  /** Subscriptions of another session, with other keys or too old. Fetching page data brings a new one. */
  readonly gone?: readonly number[]
  /** Milliseconds after which to connect again, because the server ends this connection. */
  readonly againAfterMs?: number
  /** Id of the process, sent once per connection. Other processes may learn of a change a little later. */
  readonly from?: string
}

export const maxRequestBytes = 256 * 1024
export const maxPages = 64

/** Interval at which the server writes a heartbeat while nothing changes. */
export const heartbeatMs = 15_000
