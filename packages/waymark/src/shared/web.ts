import type { HandlerResponse, ResponseBody, ServerRequest } from './response.ts'

/** Adapters for runtimes that speak `Request` and `Response` themselves. */

// Fetch standard: constructing a Response of such a status with a body throws.
const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * Hands a platform's `Request` to the handler.
 * @param runtime `waitUntil`, where the runtime ends with its responses
 */
export function toServerRequest(
  request: Request,
  { waitUntil }: Pick<ServerRequest, 'waitUntil'> = {},
): ServerRequest {
  const { origin, target } = splitUrl(request.url)
  // Read now: a route handler gets this very Request, whose signal will be that of the ServerRequest.
  const { signal } = request
  return {
    method: request.method,
    target,
    origin,
    headers: request.headers,
    signal,
    waitUntil,
    toRequest: () => request,
  }
}

/**
 * Writes a response into a platform's `Response`.
 * @param method of the request: the response to a HEAD has no body
 * @throws on a status or a header that can't be sent
 */
export function toResponse(response: HandlerResponse, method = 'GET'): Response {
  const headers = new Headers()
  for (const [name, value] of response.headers) headers.append(name, value)
  const bodiless = method === 'HEAD' || bodilessStatuses.has(response.status)
  if (bodiless) void release(response.body)
  const body = bodiless ? null : toBodyInit(response.body)
  return new Response(body, { status: response.status, headers })
}

function splitUrl(url: string): { origin: string; target: string } {
  const pathStart = url.indexOf('/', url.indexOf('://') + 3)
  const hashStart = url.indexOf('#', pathStart)
  return {
    origin: url.slice(0, pathStart),
    target: url.slice(pathStart, hashStart === -1 ? undefined : hashStart),
  }
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
  // Nothing is taken before it is read: whoever has the response, too, may send that in its place.
  return new ReadableStream(source, { highWaterMark: 0 })
}

async function release(body: ResponseBody): Promise<void> {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return
  try {
    await body[Symbol.asyncIterator]().return?.()
  } catch {
    // The reader of this body has left.
  }
}
