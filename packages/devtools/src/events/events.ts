import type { TracedEvent } from 'waymark/plugin'

/** A request that the dev server has received. */
type RequestEvent = {
  readonly type: 'request'
  readonly method: string
  /** The values of its query are cut. */
  readonly url: string
  readonly kind: 'document' | 'data' | 'prefetch' | 'action'
}

/** The head of its response. */
type StatusEvent = {
  readonly type: 'status'
  readonly status: number
  readonly durationMs: number
  readonly digest: string | null
  /** As `Server-Timing` has it: milliseconds by name. */
  readonly timing: Readonly<Record<string, number>>
}

/** The end of its response. */
type ResponseEvent = {
  readonly type: 'response'
  readonly durationMs: number
  /** False when it was cut, or its reader has left. */
  readonly isWhole: boolean
}

/** Of `@waymark/live`: a page was rendered that follows tags; tags have ended. */
export type LiveEvent =
  | { readonly type: 'live'; readonly pathname: string; readonly tags: readonly string[] }
  | { readonly type: 'change'; readonly tags: readonly string[] | 'all' }

/** What is recorded; the log adds the rest. */
export type RecordedEvent = TracedEvent | RequestEvent | StatusEvent | ResponseEvent | LiveEvent

/** What happened in development, on the server or in a browser. */
export type DevEvent = RecordedEvent & {
  /** No other event has it. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Ties a load of a page in the browser to its requests; `null` outside of any. */
  readonly load: string | null
  readonly side: 'server' | 'browser'
}

/** Where the dev server serves its events: JSON, or Server-Sent Events to who accepts them. */
export const eventsPath = '/_waymark/events'

/** The load that requests of the panel itself belong to: none of the app. */
export const devtoolsLoad = 'devtools'
