import { withBasePath } from '../shared/basePath.ts'
import type { HandlerResponse, ResponseBody, ServerRequest, Upgrade } from './response.ts'

/** Conversions for runtimes with `Request` and `Response`. */

// Statuses that don't allow a body. With one of these, `Response` throws if there is a body (Fetch
// standard).
const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304])

/** Converts a platform's `Request`. @param host values that a `Request` doesn't contain */
export function toServerRequest(
  request: Request,
  {
    waitUntil,
    remoteAddress,
    forwardedFor,
  }: Pick<ServerRequest, 'waitUntil' | 'remoteAddress' | 'forwardedFor'> = {},
): ServerRequest {
  // A runtime may create the URL from any `Host`, even from `a?`, so parse it like the app.
  const { origin, pathname, search } = new URL(request.url)
  // A route handler gets the same `Request` with a different signal, so read the signal first.
  const { signal } = request
  return {
    method: request.method,
    target: pathname + search,
    origin,
    headers: request.headers,
    signal,
    waitUntil,
    remoteAddress,
    forwardedFor,
    toRequest: () => request,
  }
}

/**
 * Converts a response to a `Response`.
 * @param method the request's method. A response to HEAD has no body
 * @throws for an invalid status
 */
export function toResponse(response: HandlerResponse, method = 'GET'): Response {
  const headers = new Headers()
  for (const [name, value] of response.headers) headers.append(name, value)
  const bodiless = method === 'HEAD' || bodilessStatuses.has(response.status)
  const body = toBodyInit(response.body)
  // Ignore errors of the cleanup.
  if (bodiless && body instanceof ReadableStream) body.cancel().catch(() => {})
  return new Response(bodiless ? null : body, { status: response.status, headers })
}

function toBodyInit(body: ResponseBody): BodyInit | null {
  if (body === null || typeof body === 'string') return body
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>
  return toStream(body)
}

function toStream(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  let iterator: AsyncIterator<Uint8Array> | undefined
  const open = () => (iterator ??= body[Symbol.asyncIterator]())
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const next = await open().next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
    async cancel() {
      await open().return?.()
    },
  }
  // A different response may still use the body, so don't read ahead.
  return new ReadableStream(source, { highWaterMark: 0 })
}

export function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]'
}

/** @returns the reason why a `Response` can't be sent, or `null` */
export function responseProblem(response: Response): string | null {
  if (response.bodyUsed) return 'the body of its Response has been read already'
  // 101 isn't a final status. Only a subclass of `Response` can have it.
  return response.status === 101 ? 'a Response can’t switch protocols (101)' : null
}

/** Converts a `Response` for an adapter. @param locate changes a path in the `location` header */
export function fromResponse(response: Response, locate = withBasePath): HandlerResponse {
  // `Response.error()` means that a fetch failed. Its status 0 can't be sent, so respond with a
  // 500.
  if (response.status === 0) return { status: 500, headers: [], body: null }
  const { status, body, upgrade } = response as Response & { readonly upgrade?: Upgrade }
  // `fetch` has already decoded the body, so these headers of a fetched response are no longer
  // true.
  const isFetched = response.type !== 'default'
  // Iteration yields each set-cookie line separately.
  const headers = [...response.headers].filter(([name]) => !(isFetched && describesBytes(name)))
  const located = headers.find(([name]) => name === 'location')
  if (located) located[1] = locate(located[1])
  if (body === null || !bodilessStatuses.has(status)) return { status, headers, body, upgrade }
  cancelBody(response)
  return { status, headers, body: null }
}

export function cancelBody({ body }: Response): void {
  // Ignore errors of the cleanup.
  body?.cancel().catch(() => {})
}

function describesBytes(header: string): boolean {
  return header === 'content-encoding' || header === 'content-length'
}
