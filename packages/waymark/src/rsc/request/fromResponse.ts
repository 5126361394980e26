import { withBasePath } from '../../shared/basePath.ts'
import type { HandlerResponse } from '../../shared/response.ts'

// RFC 9110 §15.3.5, §15.3.6 and §15.4.5
const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304])

/** Tells whether a value is a `Response`, this realm's or another's. */
export function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]'
}

/**
 * Tells why a `Response` can't be sent.
 * @returns `null` when it can
 */
export function responseProblem(response: Response): string | null {
  if (response.bodyUsed) return 'the body of its Response has been read already'
  // Only an adapter's own subclass can have one: a response needs a final status.
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
  // fetch has decoded the body of an upstream's response; these describe what it received.
  const isFetched = response.type !== 'default'
  // Iterating gives each set-cookie line for itself.
  const headers = [...response.headers].filter(([name]) => !(isFetched && describesBytes(name)))
  const located = headers.find(([name]) => name === 'location')
  if (located) located[1] = locate(located[1])
  if (body === null) return { status, headers, body: null }
  if (!bodilessStatuses.has(status)) return { status, headers, body: body as AsyncBody }
  cancelBody(response)
  return { status, headers, body: null }
}

/** Cancels a body that will not be read: its source may free what it uses. */
export function cancelBody({ body }: Response): void {
  // Nothing waits for it any more: a failure of its clean-up has no listener.
  body?.cancel().catch(() => {})
}

// Node's streams are iterable; the DOM's types say it of ReadableStream in another library file.
type AsyncBody = ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>

function describesBytes(header: string): boolean {
  return header === 'content-encoding' || header === 'content-length'
}
