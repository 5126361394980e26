import type { TracedEvent } from '../shared/trace.ts'

/** A request that the dev server has received. Query values are cut. */
type RequestEvent = {
  readonly type: 'request'
  readonly method: string
  readonly url: string
  readonly kind: 'document' | 'data' | 'prefetch' | 'action' | 'other'
}

/** The head of its response. */
type StatusEvent = {
  readonly type: 'status'
  readonly status: number
  readonly durationMs: number
  /** Of the page cache; `null` where it has no part. */
  readonly cache: string | null
  readonly digest: string | null
  /** As `Server-Timing` has it: milliseconds by name. */
  readonly timing: Readonly<Record<string, number>>
}

/** The end of its response. */
type ResponseEvent = {
  readonly type: 'response'
  readonly durationMs: number
  readonly bytes: number
  /** Whether all of it was written. */
  readonly isWhole: boolean
}

/** What happened in development, on the server or in a browser. */
export type DevEvent = (TracedEvent | RequestEvent | StatusEvent | ResponseEvent) & {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Ties a load of a page in the browser to its requests; `null` outside of any. */
  readonly load: string | null
  readonly side: 'server' | 'browser'
  /** The next one of its side has the next number. */
  readonly seq: number
}

/** What is recorded: the rest is added. */
export type DevEventInput = DevEvent extends infer E
  ? E extends DevEvent
    ? Omit<E, 'at' | 'load' | 'side' | 'seq'>
    : never
  : never

/** Where the dev server serves its events: JSON, and Server-Sent Events to who accepts them. */
export const eventsPath = '/_waymark/events'

/** Header of a browser's requests in development: the load that they belong to. */
export const loadHeader = 'waymark-load'

/** The name of the load in the `Server-Timing` of a document. */
export const loadTiming = 'load'
