import type { HandlerResponse, ResponseBody, ServerRequest } from './response.ts'

/** Adapters for runtimes with `Request` and `Response`. */

// Fetch standard: a `Response` of this status throws when it has a body.
const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * Converts a platform's `Request` for the handler.
 * @param runtime `waitUntil` of a serverless runtime
 */
export function toServerRequest(
  request: Request,
  { waitUntil }: Pick<ServerRequest, 'waitUntil'> = {},
): ServerRequest {
  const { origin, target } = splitUrl(request.url)
  // Read before a route handler gets this `Request`, whose signal will be the ServerRequest's.
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
 * Converts a response to a platform's `Response`.
 * @param method of the request: a response to HEAD has no body
 * @throws for an invalid status or header
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
  // No read ahead: another response may still use the body.
  return new ReadableStream(source, { highWaterMark: 0 })
}

async function release(body: ResponseBody): Promise<void> {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return
  try {
    await body[Symbol.asyncIterator]().return?.()
  } catch {
    // The reader has left.
  }
}
