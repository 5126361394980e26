import type { Timings } from '../wire/trace.ts'

/** Input and output of the handler, without a web `Request` unless the app asks for one. */

export type ServerRequest = {
  readonly method: string
  /** Path and query as sent, percent-encoded. */
  readonly target: string
  /** `https://example.com`, as `URL.origin` writes it. The adapter has validated it. */
  readonly origin: string
  readonly headers: RequestHeaders
  /** From the connection or a trusted proxy; `null` when the runtime has none. */
  readonly remoteAddress?: string | null | undefined
  /**
   * `x-forwarded-for` of a request that is sent on for this one: the peer, after the addresses that a
   * trusted proxy has sent. `null` when the runtime has no address.
   */
  readonly forwardedFor?: string | null | undefined
  /** Aborts when the client leaves. Read it late, because creating the signal is slow. */
  readonly signal: AbortSignal
  /** Keeps a serverless runtime alive until the promise settles; it never rejects. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
  /** Records the duration of steps, for the access log. */
  readonly timings?: Timings | undefined
  toRequest(): Request
  /** The body as bytes, which costs less than a `Request`. */
  openBody?(): BodyStream
}

/** A request, and the cookies that its response sets. */
export type SentRequest = Pick<ServerRequest, 'headers' | 'target'> & {
  /** Lines of `set-cookie`, which the browser sends from then on. */
  readonly setCookies?: readonly string[]
}

export type BodyStream = {
  listen(listener: BodyListener): void
  cancel(): void
}

export type BodyListener = {
  piece(bytes: Uint8Array<ArrayBuffer>): void
  end(): void
  fail(): void
}

/** Request headers, read-only; names in any case. */
export type RequestHeaders = {
  get(name: string): string | null
  has(name: string): boolean
  entries(): Iterable<[string, string]>
}

/** Header lines in writing order; a name may occur again (`set-cookie`). */
export type HeaderLines = [name: string, value: string][]

export type StreamedBody = AsyncIterable<Uint8Array> & {
  /** Stops the rows that only show the client that the server is alive. */
  readonly stopHeartbeat?: () => void
  /**
   * Ends a body that lasts for as long as its reader stays: called when the server begins to end. Such
   * a body never fails, and takes no place of a request.
   */
  readonly end?: () => void
}

/** Property `upgrade` of a package's `Response`: the package gets the connection. */
export type Upgrade = {
  /**
   * Takes over the connection, or responds that it has to be one for another protocol.
   * @param raw the platform's own response: in Node its `ServerResponse`
   * @returns where it was taken over, a promise of its end
   */
  take(raw: unknown, headers: HeaderLines): Promise<void> | undefined
  /** Called when the server begins to end. Never throws. */
  end(): void
}

export type ResponseBody = null | string | Uint8Array | StreamedBody

export type BodyVariant = {
  readonly encoding: 'identity' | 'br' | 'gzip'
  readonly etag: string
  readonly bytes: Uint8Array
}

export type CachedResponse = {
  readonly status: number
  /** Without content-length, content-encoding, etag, vary and age, which the adapter adds. */
  readonly headers: HeaderLines
  /** The uncompressed body comes first. */
  readonly bodies: readonly [BodyVariant, ...BodyVariant[]]
  /** A request with one of these headers goes to the handler; lower case. */
  readonly handlerOnHeaders: readonly string[]
  readonly hasOwnCaching?: boolean
}

/** The handler's response; an adapter writes it to a socket or into a `Response`. */
export type HandlerResponse = {
  readonly status: number
  readonly headers: HeaderLines
  readonly body: ResponseBody
  /** URL of a prerendered file that replaces `status` and `body`; `headers` override the file's. */
  readonly prerendered?: string | undefined
  /** The body in all encodings, for adapters that choose one. Others send `body`. */
  readonly cached?: CachedResponse | undefined
  /** For `prerendered` and `cached`: true when a route handler sets its own `cache-control`. */
  readonly hasOwnCaching?: boolean | undefined
  readonly upgrade?: Upgrade | undefined
}

/** Never rejects: an error is a response, too. Synchronous when no code of the app runs. */
export type Handle = (request: ServerRequest) => Responding

/** A synchronous response avoids the cost of a promise. */
export type Responding = HandlerResponse | Promise<HandlerResponse>

/** @param name lower case @returns the value of its first line; `null` without one */
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

/** Adds lines that are missing; an empty value suppresses a default. Names in lower case. */
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
