import { withBasePath } from '../../shared/basePath.ts'
import { isInternalHeader, prefetchHeader, prefetchPurpose } from '../../shared/protocol.ts'
import type { BodyListener, BodyStream, ServerRequest } from '../../shared/response.ts'

/** The body of a request, or why there is none. */
export type ReadBody =
  | { readonly kind: 'body'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'too-large' | 'too-slow' | 'malformed' }

/** What a body may be, and how long all of it may take. */
export type BodyLimits = { readonly maxBytes: number; readonly withinMs: number }

/** What is taken on of a body that was refused: bytes past its limit, and time. */
const maxDrainedBytes = 1_000_000
const drainMs = 5_000

/**
 * Reads a whole body, and no more than it may have. What is too large is refused by its declared
 * length, or where it passes the limit; what is too slow, when its time is over.
 */
export function readBody(request: ServerRequest, limits: BodyLimits): ReadBody | Promise<ReadBody> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (!(declared <= limits.maxBytes)) return { kind: 'too-large' }
  const body = openBody(request)
  return body === null ? { kind: 'malformed' } : readAll(body, declared, limits)
}

function openBody(request: ServerRequest): BodyStream | null {
  if (request.openBody) return request.openBody()
  const { body, bodyUsed } = request.toRequest()
  // proxy.ts may have read it, and responded.
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
    // The client may have gone away.
    cancel: () => void reader.cancel().catch(() => {}),
  }
}

function readAll(
  body: BodyStream,
  declared: number,
  { maxBytes, withinMs }: BodyLimits,
): Promise<ReadBody> {
  return new Promise((resolve) => {
    const pieces: Uint8Array<ArrayBuffer>[] = []
    let length = 0
    let isRefused = false
    let isSettled = false
    const settle = (read: ReadBody) => {
      clearTimeout(deadline)
      // The stream closes after its end, too.
      if (!isSettled) resolve(read)
      isSettled = true
    }
    const refuse = (kind: 'too-large' | 'too-slow') => {
      isRefused = true
      pieces.length = 0
      settle({ kind })
      // Cut at once, the connection would be gone before the response is on it.
      deadline = setTimeout(body.cancel, drainMs)
    }
    let deadline = setTimeout(() => refuse('too-slow'), withinMs)
    body.listen({
      piece(bytes) {
        length += bytes.byteLength
        if (length > maxBytes + maxDrainedBytes) body.cancel()
        if (isRefused) return
        if (length > maxBytes) refuse('too-large')
        else pieces.push(bytes)
      },
      // RFC 9112 §8: cut on its way, it is not what was sent.
      end: () =>
        settle(length < declared ? { kind: 'malformed' } : { kind: 'body', bytes: joined(pieces) }),
      // The client went away, or its coding is broken.
      fail: () => settle({ kind: 'malformed' }),
    })
  })
}

function joined(pieces: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [first] = pieces
  return first && pieces.length === 1 ? first : Buffer.concat(pieces)
}

// What `json` and `formData` threw of a body that was still whole.
const failures = new WeakSet<object>()

const methods = ['json', 'formData'] as const

/**
 * Remembers why a request's body could not be read, so that a client's broken body is not taken
 * for a failure of the handler that reads it.
 * @returns the same request
 */
export function watchBody(request: Request): Request {
  for (const method of methods) {
    const read = request[method]
    const value = async () => {
      // Reading it twice is a mistake of the app.
      const isWhole = !request.bodyUsed
      try {
        return await read.call(request)
      } catch (thrown) {
        if (isWhole && typeof thrown === 'object' && thrown !== null) failures.add(thrown)
        throw thrown
      }
    }
    Object.defineProperty(request, method, { value, configurable: true })
  }
  return request
}

/** Tells whether a thrown value says that a request's body could not be read. */
export function isUnreadableBody(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && failures.has(thrown)
}

/**
 * The platform's form of a request, for the app's own functions: without the framework's headers,
 * which say in what form a page was requested, and decide nothing in an app.
 * @param shape what it shall have in place of what was sent; `path` is the app's, `source` holds the body
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
  // A Request drops the signal it follows once the Request itself is garbage, and a stream
  // that listens to its `signal` alone would never be notified that the client left.
  // Configurable: a Request that passed through proxy.ts comes here twice.
  return Object.defineProperty(shaped, 'signal', { get: () => request.signal, configurable: true })
}
