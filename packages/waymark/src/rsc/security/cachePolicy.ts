import { privateNoCache, privateNoStore, withoutCaching } from '../../builds/cacheControl.ts'
import {
  type HandlerResponse,
  type HeaderLines,
  headerOf,
  setsCookie,
} from '../../http/response.ts'

export type CacheControlContext = {
  readonly method: string
  /** Kind of response. Page data also depends on the framework's request headers. */
  readonly kind: 'document' | 'data'
  readonly isPerRequest: boolean
  readonly isDraft?: boolean
  /** True if a route handler or proxy.ts created the response and its `cache-control`. */
  readonly isWrittenByApp: boolean
}

/**
 * Sets a response's `cache-control`. By default, shared caches may not store a response that
 * depends on its request; the app can override this. A response that sets a cookie or shows a draft
 * is always private, whatever the app sets.
 * @param appResponse response from the app, including cookies that an action has set
 * @param lines headers from `next()` and `rewrite()`, and cookies
 */
export function withCachePolicy(
  appResponse: HandlerResponse,
  lines: HeaderLines,
  context: CacheControlContext,
): HandlerResponse {
  const cookies = lines.filter(isCookie)
  const added = lines.filter((line) => !isCookie(line))
  // Cookies from the app come last, because an action may end a session that proxy.ts has renewed.
  const response =
    cookies.length === 0
      ? appResponse
      : { ...appResponse, headers: [...cookies, ...appResponse.headers] }
  const others = withoutCaching(added)
  if (context.isDraft || setsCookie(response.headers)) {
    return replaceCaching(response, [...others, ...privateNoStore])
  }
  if (response.cached || response.prerendered) return cachedResponse(response, added, context)
  const cacheControl = headerOf(response.headers, 'cache-control')
  const isOverridden =
    headerOf(added, 'cache-control') !== null && mayBeOverridden(response, cacheControl, context)
  if (isOverridden) return { ...response, headers: [...withoutCaching(response.headers), ...added] }
  const isMissing = cacheControl === null && context.isPerRequest
  return addLines(response, [...others, ...(isMissing ? privateNoStore : [])])
}

/**
 * Makes a response private, unless the app has set `cache-control`. Browsers may still store and
 * revalidate a cached page, because its body is the same for everybody who may see it.
 */
export function asPrivate(response: HandlerResponse): HandlerResponse {
  if (response.hasCustomCaching) return response
  const isStored = response.cached !== undefined || response.prerendered !== undefined
  const cacheControl = headerOf(response.headers, 'cache-control')
  // Leave an uncacheable response unchanged. If it has no `cache-control`, `withCachePolicy` adds
  // one.
  if (!isStored && (cacheControl === null || /private|no-store/.test(cacheControl))) return response
  return replaceCaching(response, response.status < 400 ? privateNoCache : privateNoStore)
}

/**
 * Returns a response with the status and headers from `around()`. If `around()` changed
 * `cache-control`, the framework's header for CDNs is replaced, too.
 * @param original the response that `around()` received
 */
export function withCachingOf(
  original: HandlerResponse,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
): HandlerResponse {
  const changed = { ...original, status, headers: [...headers] }
  const cacheControl = headers.get('cache-control')
  if (cacheControl === null || cacheControl === headerOf(original.headers, 'cache-control'))
    return changed
  const cdn = headers.get('cdn-cache-control')
  const policy: [string, string][] = [['cache-control', cacheControl]]
  if (cdn !== null && cdn !== headerOf(original.headers, 'cdn-cache-control')) {
    policy.push(['cdn-cache-control', cdn])
  }
  return { ...replaceCaching(changed, policy), hasCustomCaching: true }
}

// True if the app may set a response's `cache-control`. Errors and page data stay uncached: the
// latter depends on the segments that the browser shows.
function mayBeOverridden(
  { status }: HandlerResponse,
  cacheControl: string | null,
  { method, kind, isWrittenByApp }: CacheControlContext,
): boolean {
  if (isWrittenByApp && cacheControl !== null) return false
  return status < 400 && kind === 'document' && (method === 'GET' || method === 'HEAD')
}

/**
 * Returns a cached page, which visitors share, with the headers that proxy.ts added for this
 * request.
 */
function cachedResponse(
  response: HandlerResponse,
  added: HeaderLines,
  { isPerRequest }: CacheControlContext,
): HandlerResponse {
  const others = withoutCaching(added)
  if (!isPerRequest || response.hasCustomCaching) return addLines(response, others)
  // Don't store a prerendered 404, because proxy.ts may let a different request find a page at the
  // same URL.
  if (response.status >= 400) return replaceCaching(response, [...others, ...privateNoStore])
  return headerOf(added, 'cache-control') === null
    ? replaceCaching(response, [...others, ...privateNoCache])
    : replaceCaching(response, added)
}

function addLines(response: HandlerResponse, added: HeaderLines): HandlerResponse {
  return added.length === 0 ? response : { ...response, headers: [...response.headers, ...added] }
}

function replaceCaching(response: HandlerResponse, added: HeaderLines): HandlerResponse {
  const headers = [...withoutCaching(response.headers), ...added]
  const saysCdn = headerOf(added, 'cdn-cache-control') !== null
  // An empty value makes the adapter remove the file's header.
  if (response.prerendered !== undefined && !saysCdn) headers.push(['cdn-cache-control', ''])
  return { ...response, headers }
}

function isCookie([name]: HeaderLines[number]): boolean {
  return name.toLowerCase() === 'set-cookie'
}
