import { buildOf } from 'waymark/plugin/client'

/**
 * Time limit for a complete response. Later requests wait for the current one, so it must end.
 */
const fetchMs = 20_000

/** The media type of a page's document or data, and a pattern for the end of a complete response. */
export type PartForm = readonly [type: string, end: RegExp]

/**
 * A complete document ends with the end of its payload, either in a separate block or in the last chunk.
 */
export const documentForm: PartForm = [
  'text/html',
  /(?:#\n|push\(null\))<\/script><\/body><\/html>\s*$/,
]

/** Complete page data ends with its checksum, which also lets the router detect changes in transit. */
export const dataForm: PartForm = ['text/x-component', /\n#[\da-f]{8}\n$/]

/** A response that has arrived completely. */
export type WholeResponse = {
  readonly bytes: ArrayBuffer
  readonly text: string
  readonly headers: Headers
  readonly isPrivate: boolean
}

/**
 * A response that may be cached; `null` if caching isn't allowed; `failed` if the response is broken but
 * another attempt may succeed.
 */
export type Fetched = WholeResponse | null | 'failed'

/**
 * Fetches the current document of a page, or its data.
 * @throws if there is no network
 */
export async function fetchPart(url: string, [type, end]: PartForm): Promise<Fetched> {
  // Don't store the response in the browser's HTTP cache: going back in history reads from that cache,
  // and would show a gateway's error again.
  const response = await fetchQuietly(url, 'no-store')
  const { status, headers } = response
  if (status >= 500 || status === 429) return 'failed'
  // A 403 or 404 that names no build comes from a gateway, so the page may still be available later.
  if (status !== 200 && buildOf(response) === null) return 'failed'
  // Don't cache redirects, which lead to a sign-in page or to a page that has its own URL.
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
