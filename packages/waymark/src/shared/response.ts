import type { Timings } from './trace.ts'
/**
 * What goes in and out of the handler. Adapters turn a runtime's own request into a
 * `ServerRequest` and write a `HandlerResponse` back; neither costs a web `Request` or `Response`
 * unless the app asks for one.
 */

/** One request, as an adapter hands it to the handler. */
export type ServerRequest = {
  /** Upper case, as sent. */
  readonly method: string
  /** The request target as sent: path and query, not decoded. */
  readonly target: string
  /** `https://example.com`, as `URL.origin` writes it: it was parsed when the request was created. */
  readonly origin: string
  readonly headers: RequestHeaders
  /**
   * Address of the client, as its connection says, or the trusted proxy that it comes through;
   * `null` where the runtime doesn't tell.
   */
  readonly remoteAddress?: string | null | undefined
  /** Aborts when the client goes away. Reading it is what costs, so read it late. */
  readonly signal: AbortSignal
  /**
   * Tells a runtime that ends with the response of work that goes on after it; a promise that never
   * rejects. Missing where a process runs on anyway.
   */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
  /** Takes the times of its steps, for the access log. */
  readonly timings?: Timings | undefined
  /** The same request in the platform's form; the body can be read once, through it. */
  toRequest(): Request
  /** The body, for whom its bytes are enough: a Request costs more than a small body itself. */
  openBody?(): BodyStream
}

/** A body to be listened to, once. */
export type BodyStream = {
  listen(listener: BodyListener): void
  /** Gives up what is still to come. */
  cancel(): void
}

/** Receives a body: its pieces, then its end or failure. */
export type BodyListener = {
  piece(bytes: Uint8Array<ArrayBuffer>): void
  end(): void
  fail(): void
}

/** The read side of a request's headers; names in any case. */
export type RequestHeaders = {
  get(name: string): string | null
  has(name: string): boolean
  entries(): Iterable<[string, string]>
}

/** Header lines in the order they are written; a name may occur again (`set-cookie`). */
export type HeaderLines = [name: string, value: string][]

/** A body that arrives in pieces. */
export type StreamedBody = AsyncIterable<Uint8Array> & {
  /** Ends what is sent only to show its reader that the server is at work: there is none. */
  readonly stopHeartbeat?: () => void
}

/** A body: none, whole, or arriving in pieces. */
export type ResponseBody = null | string | Uint8Array | StreamedBody

/** One encoding of a cached response's body. */
export type BodyVariant = {
  readonly encoding: 'identity' | 'br' | 'gzip'
  /** Strong, with its quotation marks. */
  readonly etag: string
  readonly bytes: Uint8Array
}

/** A response that is the same for everybody, ready to be sent. */
export type CachedResponse = {
  readonly status: number
  /** All but content-length, content-encoding, etag, vary and age, which the adapter adds. */
  readonly headers: HeaderLines
  /** The identity first. */
  readonly bodies: readonly [BodyVariant, ...BodyVariant[]]
  /** A request that carries one of these headers is for the handler; lower case. */
  readonly handlerOnHeaders: readonly string[]
  /** See `HandlerResponse`. */
  readonly hasOwnCaching?: boolean
}

/** What the handler responds with; an adapter writes it to a socket or into a `Response`. */
export type HandlerResponse = {
  readonly status: number
  readonly headers: HeaderLines
  readonly body: ResponseBody
  /**
   * A URL whose file of the build is to be sent in place of `status` and `body`, with `headers`
   * put over those of the file: an adapter that has the files has said so.
   */
  readonly prerendered?: string | undefined
  /**
   * The same body in all its forms: an adapter that knows of conditions and codings sends one of
   * them, with `status` and `headers`. Others send `body`.
   */
  readonly cached?: CachedResponse | undefined
  /**
   * Of `prerendered` and `cached`: whether the app itself says what caches may do with it, by a
   * route handler's own `cache-control`.
   */
  readonly hasOwnCaching?: boolean | undefined
}

/**
 * Responds to one request. It never rejects: a failure is a response, too. What needs no work of the
 * app comes at once.
 */
export type Handle = (request: ServerRequest) => Responding

/** A response, or a promise of one: what is there at once costs no promise. */
export type Responding = HandlerResponse | Promise<HandlerResponse>

/** The exports of a built server, `.waymark/rsc/index.js`, by which any runtime serves it. */
export type BuiltServer = {
  readonly handle: Handle
  /** Path that the app is mounted at, or empty. */
  readonly basePath: string
  /** Whether URLs of pages end with a slash. */
  readonly trailingSlash: boolean
  /** Header lines of every response that does not come from the handler. */
  readonly defaultHeaders: HeaderLines
  /** Runs `instrumentation.ts`, once, before the first request. Never rejects. */
  register(): Promise<void>
}
