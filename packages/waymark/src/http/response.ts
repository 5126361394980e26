import type { Timings } from '../wire/trace.ts'

/** Input and output of the handler. A web `Request` is only created if the app needs one. */

/** A request as an adapter passes it to the handler. */
export type ServerRequest = {
  readonly method: string
  /** Path and query as sent, percent-encoded. */
  readonly target: string
  /**
   * The server's origin in the form of `URL.origin`, such as `https://example.com`. The adapter has
   * validated it.
   */
  readonly origin: string
  readonly headers: RequestHeaders
  /**
   * The client's address, from the connection or a trusted proxy; `null` if the runtime doesn't
   * know it.
   */
  readonly remoteAddress?: string | null | undefined
  /**
   * Value of `x-forwarded-for` for forwarding the request to a different server: the addresses from
   * a trusted proxy, then the peer's. `null` if the runtime doesn't know the address.
   */
  readonly forwardedFor?: string | null | undefined
  /**
   * Aborts when the client leaves. Creating the signal is slow, so only read it when you need it.
   */
  readonly signal: AbortSignal
  /** Keeps a serverless runtime alive until the promise settles. The promise must never reject. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
  /** Records the duration of steps, for the access log. */
  readonly timings?: Timings | undefined
  toRequest(): Request
  /** Opens the body as a stream of bytes. Faster than creating a `Request`. */
  openBody?(): BodyStream
}

/** A request and the cookies that its response sets. */
export type SentRequest = Pick<ServerRequest, 'headers' | 'target'> & {
  /** Values of `set-cookie`. The browser sends these cookies in later requests. */
  readonly setCookies?: readonly string[]
}

/** A request's body, as bytes. Call `listen` once, or `cancel` to stop reading. */
export type BodyStream = {
  listen(listener: BodyListener): void
  cancel(): void
}

/** Callbacks for a request's body. After `end` or `fail`, none of them is called. */
export type BodyListener = {
  piece(bytes: Uint8Array<ArrayBuffer>): void
  end(): void
  fail(): void
}

/** Read-only request headers. Names are case-insensitive. */
export type RequestHeaders = {
  get(name: string): string | null
  has(name: string): boolean
  entries(): Iterable<[string, string]>
}

/**
 * Header lines in the order in which they are written. A name may occur several times, like
 * `set-cookie`.
 */
export type HeaderLines = [name: string, value: string][]

/** A body that arrives in pieces. If its reader leaves, the iterator's `return()` is called. */
export type StreamedBody = AsyncIterable<Uint8Array> & {
  /** Stops the heartbeats that tell the client that the server is alive. */
  readonly stopHeartbeat?: () => void
  /**
   * Ends a body that would last until its reader leaves. Called when the server starts to shut
   * down. Such a body never fails, and doesn't count as a running request.
   */
  readonly end?: () => void
}

/**
 * Property `upgrade` of a package's `Response`, with which the package can take over the
 * connection.
 */
export type Upgrade = {
  /**
   * Takes over the connection, or responds that the client must use a different protocol.
   * @param raw the platform's response object. In Node, a `ServerResponse`
   * @returns a promise that resolves when the connection ends; `undefined` if the connection wasn't
   * taken over
   */
  take(raw: unknown, headers: HeaderLines): Promise<void> | undefined
  /** Called when the server starts to shut down. Never throws. */
  end(): void
}

/** A response's body: nothing, a string, bytes or a stream. */
export type ResponseBody = null | string | Uint8Array | StreamedBody

/** A body in one encoding, with its entity tag. */
export type BodyVariant = {
  readonly encoding: 'identity' | 'br' | 'gzip'
  readonly etag: string
  readonly bytes: Uint8Array
}

/** A response from the page cache, with its body in one or more encodings. */
export type CachedResponse = {
  readonly status: number
  /**
   * Header lines, except those that the adapter adds: content-length, content-encoding, etag, vary
   * and age.
   */
  readonly headers: HeaderLines
  /** The body in each encoding, uncompressed first. */
  readonly bodies: readonly [BodyVariant, ...BodyVariant[]]
  /**
   * Names of request headers, in lower case. If a request has one of them, the handler must
   * respond.
   */
  readonly handlerOnHeaders: readonly string[]
  readonly hasCustomCaching?: boolean
}

/** The handler's response. An adapter writes it to a socket or into a `Response`. */
export type HandlerResponse = {
  readonly status: number
  readonly headers: HeaderLines
  readonly body: ResponseBody
  /**
   * URL of a prerendered file, which replaces `status` and `body`. `headers` override the file's
   * headers.
   */
  readonly prerendered?: string | undefined
  /** The body in all encodings, for adapters that choose one. Other adapters send `body`. */
  readonly cached?: CachedResponse | undefined
  /** True if a route handler sets its own `cache-control`. Only used with `prerendered` and `cached`. */
  readonly hasCustomCaching?: boolean | undefined
  readonly upgrade?: Upgrade | undefined
}

/**
 * Responds to a request. Never rejects, because an error is a response, too. Synchronous if no app
 * code runs.
 */
export type Handle = (request: ServerRequest) => Responding

/**
 * A response, or a promise for one. A response that is ready is returned without a promise, to save
 * time.
 */
export type Responding = HandlerResponse | Promise<HandlerResponse>

/**
 * Finds a header. @param name in lower case @returns the value of the first line with this name, or
 * `null`
 */
export function headerOf(lines: HeaderLines, name: string): string | null {
  return lines.find(([each]) => each.toLowerCase() === name)?.[1] ?? null
}

/** Removes all lines with a name. @param name in lower case */
export function withoutHeader(lines: HeaderLines, name: string): HeaderLines {
  return lines.filter(([each]) => each.toLowerCase() !== name)
}

export function setsCookie(lines: HeaderLines): boolean {
  return headerOf(lines, 'set-cookie') !== null
}

/**
 * Adds default lines for missing headers. An empty value suppresses a default. Names must be in
 * lower case.
 */
export function withDefaultLines(lines: HeaderLines, defaults: HeaderLines): HeaderLines {
  const added = defaults.filter(([name]) => !hasLine(lines, name))
  const all = added.length > 0 ? [...lines, ...added] : lines
  return all.some(isEmptyLine) ? all.filter((line) => !isEmptyLine(line)) : all
}

function hasLine(lines: HeaderLines, name: string): boolean {
  for (const line of lines) if (line[0] === name) return true
  return false
}

function isEmptyLine([, value]: [name: string, value: string]): boolean {
  return value === ''
}
