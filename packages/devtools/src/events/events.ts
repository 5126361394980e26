import type { TracedEvent } from 'waymark/plugin'

/** A request that the dev server has received. */
type RequestEvent = {
  readonly type: 'request'
  readonly method: string
  /** URL of the request, without the values in its query. */
  readonly url: string
  readonly kind: 'document' | 'data' | 'prefetch' | 'action'
}

/** Recorded when the response's status and headers are sent. */
type StatusEvent = {
  readonly type: 'status'
  readonly status: number
  readonly durationMs: number
  readonly digest: string | null
  /** Milliseconds for each step, keyed by name, as in `Server-Timing`. */
  readonly timing: Readonly<Record<string, number>>
}

/** Recorded when the response ends. */
type ResponseEvent = {
  readonly type: 'response'
  readonly durationMs: number
  /**
   * True if the response was sent completely. False if it was cut off or the client disconnected.
   */
  readonly isWhole: boolean
}

/**
 * Events of `@waymark/live`. Kind `live`: a page that follows tags was rendered. Kind `change`:
 * tags were invalidated.
 */
export type LiveEvent =
  | { readonly type: 'live'; readonly pathname: string; readonly tags: readonly string[] }
  | { readonly type: 'change'; readonly tags: readonly string[] | 'all' }

/** An event without the properties that the log adds. */
export type RecordedEvent = TracedEvent | RequestEvent | StatusEvent | ResponseEvent | LiveEvent

/** An event during development, on the server or in a browser. */
export type DevEvent = RecordedEvent & {
  /** Unique id. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /**
   * Id that connects a page load in the browser to its requests; `null` for events that don't
   * belong to a load.
   */
  readonly load: string | null
  readonly side: 'server' | 'browser'
}

/**
 * Path of the dev server's endpoint for events. The endpoint responds with JSON, or with
 * Server-Sent Events if the client accepts them.
 */
export const eventsPath = '/_waymark/events'

/**
 * Load id of the panel's own requests, so that the list of the app's page loads doesn't contain
 * them.
 */
export const devtoolsLoad = 'devtools'
