import { withBasePath } from '../../shared/basePath.ts'
import type { HandlerResponse } from '../../shared/response.ts'

// RFC 9110 §15.3.5, §15.3.6 and §15.4.5
const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304])

/** True for a `Response` of this realm or another one. */
export function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]'
}

/** @returns why a `Response` can't be sent; `null` when it can */
export function responseProblem(response: Response): string | null {
  if (response.bodyUsed) return 'the body of its Response has been read already'
  // Only a subclass can have the status 101, which is not final.
  return response.status === 101 ? 'it switches protocols (101), which a response can’t' : null
}

/**
 * Takes a `Response` apart for an adapter to write. Its body stays a stream.
 * @param response one that `responseProblem` has nothing against
 * @param locate writes a path of its `location` as browsers have it
 */
export function fromResponse(response: Response, locate = withBasePath): HandlerResponse {
  // Response.error() stands for a failed fetch; no such status can be sent.
  if (response.status === 0) return { status: 500, headers: [], body: null }
  const { status, body } = response
  // fetch has decoded the body, so content-encoding and content-length no longer describe it.
  const isFetched = response.type !== 'default'
  // Iteration yields each set-cookie line separately.
  const headers = [...response.headers].filter(([name]) => !(isFetched && describesBytes(name)))
  const located = headers.find(([name]) => name === 'location')
  if (located) located[1] = locate(located[1])
  if (body === null) return { status, headers, body: null }
  if (!bodilessStatuses.has(status)) return { status, headers, body: body as AsyncBody }
  cancelBody(response)
  return { status, headers, body: null }
}

/** Cancels an unread body, so that its source frees its resources. */
export function cancelBody({ body }: Response): void {
  // Nobody listens to a failure of the clean-up.
  body?.cancel().catch(() => {})
}

// Node's streams are iterable; TypeScript declares that in another DOM library file.
type AsyncBody = ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>

function describesBytes(header: string): boolean {
  return header === 'content-encoding' || header === 'content-length'
}
