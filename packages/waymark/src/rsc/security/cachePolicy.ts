import { cacheControlOf, privateNoStore, withoutCaching } from '../../shared/cacheControl.ts'
import type { HandlerResponse, HeaderLines } from '../../shared/response.ts'

/** What decides whether caches on the way may share a response. */
export type CacheControlContext = {
  readonly method: string
  /** In what form the URL was requested: page data depends on headers of the framework, too. */
  readonly kind: 'document' | 'data'
  /** Whether proxy.ts ran, or anything of the request was read. */
  readonly isPerRequest: boolean
  /** Whether a route handler or proxy.ts itself wrote the response, and its `cache-control`. */
  readonly isWrittenByApp: boolean
}

/**
 * Adds header lines to a response and leaves one `cache-control` in it: the app's, where it says
 * one; otherwise one that keeps what depends on a request out of shared caches.
 * @param given the response, with the cookies of an action
 * @param lines those of `next()` and `rewrite()` of proxy.ts, and the cookies that were set
 */
export function withCachePolicy(
  given: HandlerResponse,
  lines: HeaderLines,
  context: CacheControlContext,
): HandlerResponse {
  const cookies = lines.filter(isCookie)
  const added = lines.filter((line) => !isCookie(line))
  // In front, so that those of an action count: the session that it ends, proxy.ts may have renewed.
  const response =
    cookies.length === 0 ? given : { ...given, headers: [...cookies, ...given.headers] }
  const isCached = response.cached !== undefined || response.prerendered !== undefined
  const isPersonal = response.headers.some(isCookie)
  if (isCached) return cachedResponse(response, added, { ...context, isPersonal })
  const own = cacheControlOf(response.headers)
  const isOverridden =
    cacheControlOf(added) !== null && !isPersonal && mayBeOverridden(response, own, context)
  if (isOverridden) return { ...response, headers: [...withoutCaching(response.headers), ...added] }
  const isMissing = own === null && (context.isPerRequest || isPersonal)
  return addLines(response, [...withoutCaching(added), ...(isMissing ? privateNoStore : [])])
}

// Errors stay out of caches, and so does page data, which differs by what the browser has mounted.
function mayBeOverridden(
  { status }: HandlerResponse,
  own: string | null,
  { method, kind, isWrittenByApp }: CacheControlContext,
): boolean {
  if (isWrittenByApp && own !== null) return false
  return status < 400 && kind === 'document' && (method === 'GET' || method === 'HEAD')
}

/** The response of a page that is cached for all, as proxy.ts lets this request have it. */
function cachedResponse(
  response: HandlerResponse,
  added: HeaderLines,
  { isPerRequest, isPersonal }: CacheControlContext & { readonly isPersonal: boolean },
): HandlerResponse {
  const others = withoutCaching(added)
  if (isPersonal) return replaceCaching(response, [...others, ...privateNoStore])
  if (!isPerRequest || response.hasOwnCaching) return addLines(response, others)
  // The built 404: what proxy.ts lets this request miss, another one may find.
  if (response.status >= 400) return replaceCaching(response, [...others, ...privateNoStore])
  return cacheControlOf(added) === null
    ? replaceCaching(response, [...others, ['cache-control', 'private, no-cache']])
    : replaceCaching(response, added)
}

function addLines(response: HandlerResponse, added: HeaderLines): HandlerResponse {
  return added.length === 0 ? response : { ...response, headers: [...response.headers, ...added] }
}

function replaceCaching(response: HandlerResponse, added: HeaderLines): HandlerResponse {
  const headers = [...withoutCaching(response.headers), ...added]
  const saysCdn = added.some(([name]) => name === 'cdn-cache-control')
  // The adapter puts them over the lines of the file: an empty value removes one.
  if (response.prerendered !== undefined && !saysCdn) headers.push(['cdn-cache-control', ''])
  return { ...response, headers }
}

function isCookie([name]: HeaderLines[number]): boolean {
  return name.toLowerCase() === 'set-cookie'
}
