import type { HandlerResponse, ServerRequest } from './response.ts'

/** A response to a browser that opens a URL, as far as its server knows. */
export type SentDocument = {
  /** Pattern; `null` for files and for URLs without a route. */
  readonly route: string | null
  readonly status: number
  /** The client left, or the response broke off. */
  readonly isCut: boolean
}

/**
 * Responds at a URL below `/_waymark/` in place of the app. It runs in the context of its request, so
 * `cookies()`, `headers()` and `after()` of `waymark/server` work as in a route handler.
 */
export type Endpoint = {
  /** Without the app's base path. */
  readonly path: string
  /** @returns `null` where the app has to respond */
  handle(request: ServerRequest): Promise<HandlerResponse | null>
  /** For scrapers, in the text format of Prometheus. */
  readonly metrics?: (() => string) | undefined
  /** Called for each document that a Node server has sent. */
  readonly onDocument?: ((document: SentDocument) => void) | undefined
}

/** Counts of a package, such as the arrivals of pages: a record of the journal. */
export type CountsRecord = {
  readonly kind: 'counts'
  /** Of the package's counts. */
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
  /** JSON, which the package checks as it reads it. */
  readonly data: unknown
}
