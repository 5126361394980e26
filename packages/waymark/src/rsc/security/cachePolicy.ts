import { privateNoStore, withoutCaching } from '../../shared/cacheControl.ts'
import {
  type HandlerResponse,
  type HeaderLines,
  headerOf,
  setsCookie,
} from '../../shared/response.ts'

export type CacheControlContext = {
  readonly method: string
  /** Page data also depends on the framework's headers. */
  readonly kind: 'document' | 'data'
  readonly isPerRequest: boolean
  readonly isDraft?: boolean
  /** True when a route handler or proxy.ts wrote the response and its `cache-control`. */
  readonly isWrittenByApp: boolean
}

/**
 * Leaves one `cache-control`: the app's own, else one that keeps what depends on its request out of
 * shared caches. What sets a cookie, or shows a draft, is for one client: another file may have said
 * what caches may do.
 * @param given includes an action's cookies
 * @param lines of `next()` and `rewrite()`, and cookies set
 */
export function withCachePolicy(
  given: HandlerResponse,
  lines: HeaderLines,
  context: CacheControlContext,
): HandlerResponse {
  const cookies = lines.filter(isCookie)
  const added = lines.filter((line) => !isCookie(line))
  // In front, because an action may end a session that proxy.ts has renewed.
  const response =
    cookies.length === 0 ? given : { ...given, headers: [...cookies, ...given.headers] }
  const others = withoutCaching(added)
  if (context.isDraft || setsCookie(response.headers)) {
    return replaceCaching(response, [...others, ...privateNoStore])
  }
  if (response.cached || response.prerendered) return cachedResponse(response, added, context)
  const own = headerOf(response.headers, 'cache-control')
  const isOverridden =
    headerOf(added, 'cache-control') !== null && mayBeOverridden(response, own, context)
  if (isOverridden) return { ...response, headers: [...withoutCaching(response.headers), ...added] }
  const isMissing = own === null && context.isPerRequest
  return addLines(response, [...others, ...(isMissing ? privateNoStore : [])])
}

// Errors and page data stay uncached: data depends on the browser's mounted segments.
function mayBeOverridden(
  { status }: HandlerResponse,
  own: string | null,
  { method, kind, isWrittenByApp }: CacheControlContext,
): boolean {
  if (isWrittenByApp && own !== null) return false
  return status < 400 && kind === 'document' && (method === 'GET' || method === 'HEAD')
}

/** A shared cached page with the headers that proxy.ts added for this request. */
function cachedResponse(
  response: HandlerResponse,
  added: HeaderLines,
  { isPerRequest }: CacheControlContext,
): HandlerResponse {
  const others = withoutCaching(added)
  if (!isPerRequest || response.hasOwnCaching) return addLines(response, others)
  // The prerendered 404: proxy.ts may let another request find a page.
  if (response.status >= 400) return replaceCaching(response, [...others, ...privateNoStore])
  return headerOf(added, 'cache-control') === null
    ? replaceCaching(response, [...others, ['cache-control', 'private, no-cache']])
    : replaceCaching(response, added)
}

function addLines(response: HandlerResponse, added: HeaderLines): HandlerResponse {
  return added.length === 0 ? response : { ...response, headers: [...response.headers, ...added] }
}

function replaceCaching(response: HandlerResponse, added: HeaderLines): HandlerResponse {
  const headers = [...withoutCaching(response.headers), ...added]
  const saysCdn = headerOf(added, 'cdn-cache-control') !== null
  // An empty value removes the file's line in the adapter.
  if (response.prerendered !== undefined && !saysCdn) headers.push(['cdn-cache-control', ''])
  return { ...response, headers }
}

function isCookie([name]: HeaderLines[number]): boolean {
  return name.toLowerCase() === 'set-cookie'
}
