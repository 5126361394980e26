import { buildOf } from 'waymark/plugin/client'

/** A response that has not arrived whole by then is given up: others wait for their turn. */
const fetchMs = 20_000

/** A part of a page: its media type, and how it ends where it is whole. */
export type PartForm = readonly [type: string, end: RegExp]

/** A document ends with its payload's end: in a block of its own, or as the last chunk. */
export const documentForm: PartForm = [
  'text/html',
  /(?:#\n|push\(null\))<\/script><\/body><\/html>\s*$/,
]

/** Data ends with its checksum, by which the router, too, notices what was changed on the way. */
export const dataForm: PartForm = ['text/x-component', /\n#[\da-f]{8}\n$/]

/** A response that has arrived whole. */
export type WholeResponse = {
  readonly bytes: ArrayBuffer
  readonly text: string
  readonly headers: Headers
  readonly isPrivate: boolean
}

/** A response that may be kept; `null`: there is none; `failed`: it is broken, which may mend. */
export type Fetched = WholeResponse | null | 'failed'

/**
 * Fetches a document or a page's data as it is now.
 * @throws where there is no network
 */
export async function fetchPart(url: string, [type, end]: PartForm): Promise<Fetched> {
  // Back takes a document from the browser's cache: what a gateway said must not stand there.
  const response = await fetchQuietly(url, 'no-store')
  const { status, headers } = response
  if (status >= 500 || status === 429) return 'failed'
  // 403 or 404 of what stands before the server: its own responses name their build.
  if (status !== 200 && buildOf(response) === null) return 'failed'
  // A redirect leads to a sign-in page, or to another page that has a URL of its own.
  if (status !== 200 || response.redirected) return null
  if (!headers.get('content-type')?.startsWith(type)) return null
  const bytes = await response.arrayBuffer()
  const text = new TextDecoder().decode(bytes)
  return end.test(text) ? { bytes, text, headers, isPrivate: !isPublic(response) } : 'failed'
}

/** Fetches what is to be kept: after what a page waits for, and not for ever. */
export function fetchQuietly(url: string, cache: RequestCache = 'default'): Promise<Response> {
  return fetch(url, { cache, priority: 'low', signal: AbortSignal.timeout(fetchMs) })
}

/** True if caches may store a response for all users. A response without such a header is private. */
export function isPublic({ headers }: Response): boolean {
  const isShared = !/private|no-store/.test(headers.get('cache-control') ?? 'private')
  return isShared && !/cookie|authorization/i.test(headers.get('vary') ?? '')
}
