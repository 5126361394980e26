import type { TracedEvent } from 'waymark/plugin'

/** A request that the dev server has received. */
type RequestEvent = {
  readonly type: 'request'
  readonly method: string
  /** The values of the query are removed. */
  readonly url: string
  readonly kind: 'document' | 'data' | 'prefetch' | 'action'
}

/** The head of the response. */
type StatusEvent = {
  readonly type: 'status'
  readonly status: number
  readonly durationMs: number
  readonly digest: string | null
  /** Milliseconds by name, as in `Server-Timing`. */
  readonly timing: Readonly<Record<string, number>>
}

/** The end of the response. */
type ResponseEvent = {
  readonly type: 'response'
  readonly durationMs: number
  /** False if the response was cut off, or the client has disconnected. */
  readonly isWhole: boolean
}

/**
 * Events of `@waymark/live`. `live`: a page that follows tags was rendered. `change`: tags were
 * invalidated.
 */
export type LiveEvent =
  | { readonly type: 'live'; readonly pathname: string; readonly tags: readonly string[] }
  | { readonly type: 'change'; readonly tags: readonly string[] | 'all' }

/** An event without the properties that the log adds. */
export type RecordedEvent = TracedEvent | RequestEvent | StatusEvent | ResponseEvent | LiveEvent

/** An event in development, on the server or in a browser. */
export type DevEvent = RecordedEvent & {
  /** Unique id. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /**
   * Id that connects a page load in the browser to its requests; `null` for events outside of a
   * load.
   */
  readonly load: string | null
  readonly side: 'server' | 'browser'
}

/**
 * Path of the dev server's events. It responds with JSON, or with Server-Sent Events if the client
 * accepts them.
 */
export const eventsPath = '/_waymark/events'

/** Load id of the panel's own requests, which are left out of the app's loads. */
export const devtoolsLoad = 'devtools'
