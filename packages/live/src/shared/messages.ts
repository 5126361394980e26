/** Where pages ask for changes, and wait for them. */
export const livePath = '/_waymark/live'

export const eventStream = 'text/event-stream'

/** What a page sends. */
export type LiveRequest = {
  /** Subscriptions, as the server has sealed them. */
  readonly pages: readonly string[]
  /** Whether it waits for later changes. */
  readonly wait: boolean
}

/** What the server says of the subscriptions of a request, by their places in it. */
export type LiveMessage = {
  readonly changed?: readonly number[]
  /** Of another session, too old, or of other keys: page data brings a new one. */
  readonly gone?: readonly number[]
  /** The connection ends: the next one may begin after so many milliseconds. */
  readonly againAfterMs?: number
  /** Id of the process: others may know of a change a little later. Sent once on a connection. */
  readonly from?: string
}

export const maxRequestBytes = 256 * 1024
export const maxPages = 64

/** While nothing changes, the server shows that it is there. */
export const heartbeatMs = 15_000
