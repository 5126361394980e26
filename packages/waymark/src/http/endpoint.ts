import type { HandlerResponse, ServerRequest } from './response.ts'

/** A response that was sent to a browser, for a URL that the user has opened. */
export type SentDocument = {
  /** Pattern of the route; `null` for files and for URLs without a route. */
  readonly route: string | null
  readonly status: number
  /** True if the client left or the response was cut. */
  readonly isCut: boolean
}

/**
 * Handler for a URL below `/_waymark/`. It runs in its request's context, so `cookies()`,
 * `headers()` and `after()` from `waymark/server` work as in a route handler.
 */
export type Endpoint = {
  /** Path without the app's base path. */
  readonly path: string
  /** Responds to a request. Return `null` to let the app respond. */
  handle(request: ServerRequest): Promise<HandlerResponse | null>
  /** Returns metrics in Prometheus' text format. */
  readonly metrics?: (() => string) | undefined
  /** Called for each document that a Node server has sent. */
  readonly onDocument?: ((document: SentDocument) => void) | undefined
}

/** A journal record with counts from a package, such as the number of pages that arrived. */
export type CountsRecord = {
  readonly kind: 'counts'
  /** Name under which the package stores its counts. */
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
  /** JSON, which the package validates when it reads the record. */
  readonly data: unknown
}
