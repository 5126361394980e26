import type { Timings } from '../wire/trace.ts'

/** Input and output of the handler, without a web `Request` unless the app needs one. */

/** A request, as an adapter passes it to the handler. */
export type ServerRequest = {
  readonly method: string
  /** Path and query as sent, percent-encoded. */
  readonly target: string
  /** For example `https://example.com`, in the form of `URL.origin`. The adapter has validated it. */
  readonly origin: string
  readonly headers: RequestHeaders
  /** Address of the client, from the connection or a trusted proxy; `null` if the runtime has none. */
  readonly remoteAddress?: string | null | undefined
  /**
   * Value of `x-forwarded-for` for a request to another server: the addresses from a trusted proxy, then
   * the peer. `null` if the runtime has no address.
   */
  readonly forwardedFor?: string | null | undefined
  /** Aborts when the client leaves. Read it late, because creating the signal is slow. */
  readonly signal: AbortSignal
  /** Keeps a serverless runtime alive until the promise settles. The promise never rejects. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
  /** Records the duration of steps, for the access log. */
  readonly timings?: Timings | undefined
  toRequest(): Request
  /** Opens the body as bytes, which is faster than creating a `Request`. */
  openBody?(): BodyStream
}

/** A request and the cookies that its response sets. */
export type SentRequest = Pick<ServerRequest, 'headers' | 'target'> & {
  /** Lines of `set-cookie`. The browser sends these cookies from then on. */
  readonly setCookies?: readonly string[]
}

/** The body of a request, as bytes. Call `listen` once, or `cancel` to stop reading. */
export type BodyStream = {
  listen(listener: BodyListener): void
  cancel(): void
}

/** Callbacks for the body of a request. After `end` or `fail`, no further call follows. */
export type BodyListener = {
  piece(bytes: Uint8Array<ArrayBuffer>): void
  end(): void
  fail(): void
}

/** Request headers, read-only. Names may be in any case. */
export type RequestHeaders = {
  get(name: string): string | null
  has(name: string): boolean
  entries(): Iterable<[string, string]>
}

/** Header lines in the order in which they are written. A name may repeat (`set-cookie`). */
export type HeaderLines = [name: string, value: string][]

/** A body that arrives in pieces. If its reader leaves, the iterator's `return()` is called. */
export type StreamedBody = AsyncIterable<Uint8Array> & {
  /** Stops the heartbeats, which only show the client that the server is alive. */
  readonly stopHeartbeat?: () => void
  /**
   * Ends a body that lasts as long as its reader stays. Called when the server starts to shut down. Such
   * a body never fails, and doesn't count as a running request.
   */
  readonly end?: () => void
}

/** Property `upgrade` of a package's `Response`, with which the package takes over the connection. */
export type Upgrade = {
  /**
   * Takes over the connection, or responds that the client has to use another protocol.
   * @param raw the platform's response object: in Node, a `ServerResponse`
   * @returns if it took the connection over, a promise of its end
   */
  take(raw: unknown, headers: HeaderLines): Promise<void> | undefined
  /** Called when the server starts to shut down. Never throws. */
  end(): void
}

/** The body of a response: nothing, a text, bytes, or a stream. */
export type ResponseBody = null | string | Uint8Array | StreamedBody

/** A body in one encoding, with its entity tag. */
export type BodyVariant = {
  readonly encoding: 'identity' | 'br' | 'gzip'
  readonly etag: string
  readonly bytes: Uint8Array
}

/** A response of the page cache, with its body in one or more encodings. */
export type CachedResponse = {
  readonly status: number
  /** Without content-length, content-encoding, etag, vary and age, which the adapter adds. */
  readonly headers: HeaderLines
  /** The uncompressed body comes first. */
  readonly bodies: readonly [BodyVariant, ...BodyVariant[]]
  /** Names of headers, in lower case. A request with one of them goes to the handler. */
  readonly handlerOnHeaders: readonly string[]
  readonly hasOwnCaching?: boolean
}

/** The handler's response. An adapter writes it to a socket or into a `Response`. */
export type HandlerResponse = {
  readonly status: number
  readonly headers: HeaderLines
  readonly body: ResponseBody
  /** URL of a prerendered file that replaces `status` and `body`. `headers` override the file's headers. */
  readonly prerendered?: string | undefined
  /** The body in all encodings, for adapters that choose one. Others send `body`. */
  readonly cached?: CachedResponse | undefined
  /** For `prerendered` and `cached`: true if a route handler sets its own `cache-control`. */
  readonly hasOwnCaching?: boolean | undefined
  readonly upgrade?: Upgrade | undefined
}

/** Responds to a request. Never rejects, because an error is a response, too. Synchronous if no app code runs. */
export type Handle = (request: ServerRequest) => Responding

/** A response, or a promise of one. Without a promise, responding takes less time. */
export type Responding = HandlerResponse | Promise<HandlerResponse>

/** @param name lower case @returns the value of the first line with that name, or `null` */
export function headerOf(lines: HeaderLines, name: string): string | null {
  return lines.find(([each]) => each.toLowerCase() === name)?.[1] ?? null
}

/** @param name lower case */
export function withoutHeader(lines: HeaderLines, name: string): HeaderLines {
  return lines.filter(([each]) => each.toLowerCase() !== name)
}

export function setsCookie(lines: HeaderLines): boolean {
  return headerOf(lines, 'set-cookie') !== null
}

/** Adds missing lines. An empty value suppresses a default. Names are in lower case. */
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
