import { buildOf } from 'waymark/plugin/client'

/**
 * A response that hasn't arrived completely after this time is abandoned, because other requests wait
 * for it.
 */
const fetchMs = 20_000

/** A part of a page: its media type, and the pattern with which a complete response ends. */
export type PartForm = readonly [type: string, end: RegExp]

/** A complete document ends with the end of its payload: in a separate block, or as the last chunk. */
export const documentForm: PartForm = [
  'text/html',
  /(?:#\n|push\(null\))<\/script><\/body><\/html>\s*$/,
]

/** Complete data ends with its checksum, with which the router also detects changes on the way. */
export const dataForm: PartForm = ['text/x-component', /\n#[\da-f]{8}\n$/]

/** A response that has arrived completely. */
export type WholeResponse = {
  readonly bytes: ArrayBuffer
  readonly text: string
  readonly headers: Headers
  readonly isPrivate: boolean
}

/**
 * A response that may be cached; `null` if the page may not be cached; `failed` if the response is broken
 * but may work later.
 */
export type Fetched = WholeResponse | null | 'failed'

/**
 * Fetches the current document of a page, or its data.
 * @throws if there is no network
 */
export async function fetchPart(url: string, [type, end]: PartForm): Promise<Fetched> {
  // Going back takes a document from the browser's HTTP cache, so a gateway's error must not be stored
  // there.
  const response = await fetchQuietly(url, 'no-store')
  const { status, headers } = response
  if (status >= 500 || status === 429) return 'failed'
  // A 403 or 404 without a build comes from something in front of the server.
  if (status !== 200 && buildOf(response) === null) return 'failed'
  // A redirect leads to a sign-in page or to another page, which has its own URL.
  if (status !== 200 || response.redirected) return null
  if (!headers.get('content-type')?.startsWith(type)) return null
  const bytes = await response.arrayBuffer()
  const text = new TextDecoder().decode(bytes)
  return end.test(text) ? { bytes, text, headers, isPrivate: !isPublic(response) } : 'failed'
}

/** Fetches a file to be cached, with low priority and a time limit. */
export function fetchQuietly(url: string, cache: RequestCache = 'default'): Promise<Response> {
  return fetch(url, { cache, priority: 'low', signal: AbortSignal.timeout(fetchMs) })
}

/** True if shared caches may store a response. A response without `cache-control` counts as private. */
export function isPublic({ headers }: Response): boolean {
  const isShared = !/private|no-store/.test(headers.get('cache-control') ?? 'private')
  return isShared && !/cookie|authorization/i.test(headers.get('vary') ?? '')
}
