import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { RequestHeaders, ServerRequest } from '../shared/answer.ts'

/**
 * Presents a Node request to the handler. Nothing is computed before it is read.
 * @param url `origin` and `target` as `readOrigin` and `readTarget` found them
 */
export function createServerRequest(
  req: IncomingMessage,
  res: ServerResponse,
  url: { origin: string; target: string },
): ServerRequest {
  let signal: AbortSignal | undefined
  const request: ServerRequest = {
    method: req.method ?? 'GET',
    target: url.target,
    origin: url.origin,
    headers: createHeaders(req),
    get signal() {
      signal ??= createGoneSignal(res)
      return signal
    },
    toRequest: () => toWebRequest(req, request),
  }
  return request
}

function createHeaders(req: IncomingMessage): RequestHeaders {
  const read = (name: string): string | null => {
    const key = name.toLowerCase()
    // Node's record has a prototype: a header named `constructor` is not there unless sent.
    if (!Object.hasOwn(req.headers, key)) return null
    const value = req.headers[key]
    return typeof value === 'string' ? value : (value?.join(', ') ?? null)
  }
  return {
    get: read,
    has: (name) => read(name) !== null,
    *entries() {
      for (const name of Object.keys(req.headers)) yield [name, read(name) ?? '']
    },
  }
}

function createGoneSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const onClose = () => {
    if (!res.writableFinished) controller.abort()
  }
  if (res.closed || res.destroyed) onClose()
  else res.once('close', onClose)
  return controller.signal
}

function toWebRequest(req: IncomingMessage, request: ServerRequest): Request {
  const headers = new Headers()
  for (const [name, value] of request.headers.entries()) headers.append(name, value)
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const init: RequestInit & { duplex?: 'half' } = {
    method: request.method,
    headers,
    signal: request.signal,
  }
  if (hasBody) {
    // Node's own stream type and the DOM's differ in name only.
    init.body = Readable.toWeb(req) as unknown as ReadableStream<Uint8Array>
    init.duplex = 'half'
  }
  return new Request(request.origin + request.target, init)
}
