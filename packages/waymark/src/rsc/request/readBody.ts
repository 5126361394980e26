import type { BodyListener, BodyStream, ServerRequest } from '../../shared/answer.ts'

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
  // proxy.ts may have read it, and answered for it.
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
    const settle = (read: ReadBody) => {
      clearTimeout(deadline)
      resolve(read)
    }
    const refuse = (kind: 'too-large' | 'too-slow') => {
      isRefused = true
      pieces.length = 0
      settle({ kind })
      // Cut at once, the connection would be gone before the answer is on it.
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
