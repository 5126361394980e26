import { bodyDueMs } from '../../http/bodyDeadline.ts'
import type { BodyListener, BodyStream, ServerRequest } from '../../http/response.ts'
import { withBasePath } from '../../shared/basePath.ts'
import { tryOrUndefined } from '../../shared/neverThrows.ts'
import { isInternalHeader, prefetchHeader, prefetchPurpose } from '../../wire/protocol.ts'
import { correctForwarding } from './forwarding.ts'

export type ReadBody =
  | { readonly kind: 'body'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'too-large' | 'too-slow' | 'malformed' }

type Received = Pick<ServerRequest, 'headers' | 'openBody' | 'toRequest'>

export type BodyLimits = {
  readonly maxBytes: number
  /**
   * Milliseconds after which a body that stalls, or is slower than 4 kB/s on average, counts as too slow. A body that
   * keeps arriving faster has no time limit.
   */
  readonly withinMs: number
}

/** Drops parts of a body while it arrives. */
export type BodyFilter = {
  /** Returns the bytes to keep. */
  readonly filter: (piece: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
  /** Returns bytes that the filter still holds at the end of the body. */
  readonly flush: () => Uint8Array<ArrayBuffer>
  /** Maximum number of bytes that may arrive beyond `maxBytes`, because the filter drops them. */
  readonly maxDroppedBytes: number
}

/**
 * Bytes that the server still reads after a refusal. Otherwise the connection would close before
 * the client has read the response.
 */
const maxDrainedBytes = 1_000_000
const drainMs = 5_000

/**
 * Number of pieces to collect before joining them. Each piece takes 400 bytes of heap, even if it
 * has only one byte.
 */
const maxApart = 128

/**
 * Reads a whole body. A body that is too large is refused at once if its content-length says so, or
 * else when it reaches the limit.
 */
export function readBody(
  request: Received,
  limits: BodyLimits & { readonly filter?: BodyFilter | null },
): ReadBody | Promise<ReadBody> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (!(declared <= limits.maxBytes + (limits.filter?.maxDroppedBytes ?? 0)))
    return { kind: 'too-large' }
  const body = openBody(request)
  return body === null ? { kind: 'malformed' } : readAll(body, declared, limits)
}

/** A body as a string, or the status to respond with. */
export type ReceivedText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly status: 400 | 408 | 413 }

/**
 * Reads the body of a request as a string, within limits. A body can be read only once.
 * @returns the string, or the status to respond with: 413 for a body that is too large, 408 for a body that is too
 * slow, 400 for a body that is incomplete or not UTF-8
 */
export async function readText(request: ServerRequest, limits: BodyLimits): Promise<ReceivedText> {
  const body = await readBody(request, limits)
  if (body.kind !== 'body') return { kind: 'refused', status: refusals[body.kind] }
  const text = decodeText(body.bytes)
  return text === null ? { kind: 'refused', status: 400 } : { kind: 'text', text }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8. @returns `null` for invalid UTF-8 */
export function decodeText(bytes: Uint8Array): string | null {
  return tryOrUndefined(() => utf8.decode(bytes)) ?? null
}

function openBody(request: Received): BodyStream | null {
  if (request.openBody) return request.openBody()
  const { body, bodyUsed } = request.toRequest()
  if (bodyUsed) return null
  return body ? openStream(body) : noBody
}

const noBody: BodyStream = { listen: ({ end }) => end(), cancel() {} }

function openStream(body: ReadableStream<Uint8Array<ArrayBuffer>>): BodyStream {
  const reader = body.getReader()
  const follow = async ({ piece, end, fail }: BodyListener) => {
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) piece(next.value)
      end()
    } catch {
      fail()
    }
  }
  return {
    listen: (listener) => void follow(listener),
    cancel: () => void reader.cancel().catch(() => {}),
  }
}

function readAll(
  body: BodyStream,
  declared: number,
  { maxBytes, withinMs, filter }: BodyLimits & { readonly filter?: BodyFilter | null },
): Promise<ReadBody> {
  return new Promise((resolve) => {
    const startedAtMs = Date.now()
    const maxReceivedBytes = maxBytes + (filter?.maxDroppedBytes ?? 0)
    const pieces: Uint8Array<ArrayBuffer>[] = []
    let progressedAtMs = startedAtMs
    let runs = 0
    let length = 0
    let filteredBytes = 0
    let isRefused = false
    let isSettled = false
    const settle = (read: ReadBody) => {
      clearTimeout(deadline)
      // `close` also comes after the end of a stream.
      if (!isSettled) resolve(read)
      isSettled = true
    }
    const refuse = (kind: 'too-large' | 'too-slow') => {
      isRefused = true
      pieces.length = 0
      settle({ kind })
      // Cancel the body later, so that the client can read the response before the connection
      // closes.
      deadline = setTimeout(body.cancel, drainMs)
    }
    const checkProgress = () => {
      const progress = { startedAtMs, progressedAtMs, receivedBytes: length }
      const leftMs = bodyDueMs(progress, withinMs) - Date.now()
      if (leftMs <= 0) refuse('too-slow')
      else deadline = setTimeout(checkProgress, leftMs)
    }
    let deadline = setTimeout(checkProgress, withinMs)
    body.listen({
      piece(bytes) {
        length += bytes.byteLength
        progressedAtMs = Date.now()
        if (length > maxReceivedBytes + maxDrainedBytes) body.cancel()
        if (isRefused) return
        const filtered = filter ? filter.filter(bytes) : bytes
        filteredBytes += filtered.byteLength
        if (length > maxReceivedBytes || filteredBytes > maxBytes) refuse('too-large')
        else if (filtered.byteLength === 0) return
        else if (pieces.push(filtered) - runs === maxApart)
          pieces.push(joined(pieces.splice(runs++)))
      },
      // A body that is shorter than its content-length is incomplete: RFC 9112 §8.
      end() {
        if (filter) {
          const rest = filter.flush()
          filteredBytes += rest.byteLength
          pieces.push(rest)
        }
        if (length < declared) settle({ kind: 'malformed' })
        else if (filteredBytes > maxBytes) settle({ kind: 'too-large' })
        else settle({ kind: 'body', bytes: joined(pieces) })
      },
      // The client left, or its transfer coding is broken.
      fail: () => settle({ kind: 'malformed' }),
    })
  })
}

function joined(pieces: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [first] = pieces
  return first && pieces.length === 1 ? first : Buffer.concat(pieces)
}

const refusals = { 'too-large': 413, 'too-slow': 408, malformed: 400 } as const

type BodyFailure = {
  readonly status: number
  /** Describes the problem with the body, for the client. */
  readonly problem: string
}

const problems: Readonly<Record<number, string>> = {
  400: 'The request body is not valid.',
  408: 'The request body took too long to arrive.',
  413: 'The request body is too large.',
}

/** Errors that a request's body methods have thrown because of what the client sent. */
export const bodyFailures = new WeakMap<object, BodyFailure>()

/**
 * Creates an error for an invalid body, which isn't recorded in the journal. If a route handler
 * doesn't catch the error, the response has this status. In any other app code, the status is 400.
 */
export function createBodyError(message: string, status: 400 | 408 | 413): TypeError {
  const error = new TypeError(message)
  bodyFailures.set(error, { status, problem: problems[status] ?? '' })
  return error
}

const methods = ['json', 'formData', 'text', 'arrayBuffer', 'blob', 'bytes'] as const

/**
 * Limits for bodies that an app reads as a whole. The time limit equals the Node server's request
 * timeout.
 */
const wholeLimits: BodyLimits = { maxBytes: 10_000_000, withinMs: 300_000 }

/**
 * Limits bodies that are read with `json()`, `text()`, `formData()` or a similar method to 10 MB
 * and five minutes. The stream `body` has no limit. If a body is too large, too slow or malformed,
 * that is the client's mistake, so the response gets the matching 4xx status.
 * @returns the same request, whose clones are limited, too
 */
export function limitBody(request: Request): Request {
  const { headers, clone } = request
  for (const method of methods.filter((name) => name in request)) {
    const read = request[method]
    const value = async () => {
      // Reading a body twice is the app's mistake. The platform's own error explains it.
      if (request.bodyUsed) return read.call(request)
      const body = await readBody({ headers, toRequest: () => request }, wholeLimits)
      try {
        if (body.kind !== 'body')
          throw new TypeError(`${method}() failed: the body is ${body.kind}.`)
        return await new Response(body.bytes, { headers })[method]()
      } catch (thrown) {
        bodyFailures.set(thrown as object, failureOf(body.kind, method, headers))
        throw thrown
      }
    }
    Object.defineProperty(request, method, { value, configurable: true })
  }
  const value = () => limitBody(clone.call(request))
  return Object.defineProperty(request, 'clone', { value, configurable: true })
}

function failureOf(
  kind: 'body' | keyof typeof refusals,
  method: (typeof methods)[number],
  headers: Headers,
): BodyFailure {
  switch (kind) {
    case 'too-large':
      return { status: 413, problem: 'The request body is larger than 10 MB.' }
    case 'too-slow':
      return { status: 408, problem: 'The request body took too long to arrive.' }
    case 'malformed':
      return { status: 400, problem: 'The request body is incomplete.' }
    case 'body':
      return { status: 400, problem: parseProblem(method, headers) }
  }
}

const formType = /^\s*(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i

function parseProblem(method: (typeof methods)[number], headers: Headers): string {
  if (method === 'json') return 'The request body is not valid JSON.'
  if (method !== 'formData') return 'The request body is not valid.'
  return formType.test(headers.get('content-type') ?? '')
    ? 'The request body is not a valid form.'
    : 'The request needs the content type of a form, such as multipart/form-data.'
}

/**
 * Creates a `Request` for the app, without the framework's headers.
 * @param shape parts to replace: `path` is a path within the app, and `source` is a request whose body to use
 */
export function toWebRequest(
  request: ServerRequest,
  shape: { readonly path?: string; readonly source?: Request; readonly headers?: Headers } = {},
): Request {
  const { path, source = request.toRequest(), headers } = shape
  const target = path === undefined ? request.target : withBasePath(path)
  const url = request.origin + target
  const isSame = target === request.target && shape.source === undefined
  const web = isSame ? source : new Request(url, source)
  const shaped = headers ? new Request(web, { headers }) : web
  for (const name of [...shaped.headers.keys()]) {
    if (name === prefetchHeader) shaped.headers.set(...prefetchPurpose)
    if (isInternalHeader(name)) shaped.headers.delete(name)
  }
  // proxy.ts may describe the client in its own way, so keep headers that the app has passed.
  if (headers === undefined) correctForwarding(shaped.headers, request)
  // Node's `Request` drops its signal when the `Request` is garbage-collected, so a stream that
  // only uses the signal would never abort. The property is configurable because a `Request` from
  // proxy.ts gets it a second time.
  return Object.defineProperty(shaped, 'signal', { get: () => request.signal, configurable: true })
}
