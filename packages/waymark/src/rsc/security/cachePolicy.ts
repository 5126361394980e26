import { cacheControlOf, privateNoStore, withoutCaching } from '../../shared/cacheControl.ts'
import type { HandlerResponse, HeaderLines } from '../../shared/response.ts'

/** What decides whether caches on the way may share an answer. */
export type CacheControlContext = {
  readonly method: string
  /** In what form the URL was requested: page data depends on headers of the framework, too. */
  readonly kind: 'document' | 'data'
  /** Whether proxy.ts ran, or anything of the request was read. */
  readonly isPerRequest: boolean
  /** Whether a route handler or proxy.ts itself wrote the answer, and its `cache-control`. */
  readonly isWrittenByApp: boolean
}

/**
 * Adds header lines to an answer and leaves one `cache-control` in it: the app's, where it says
 * one; otherwise one that keeps what depends on a request out of shared caches.
 * @param added the lines of `next()` and `rewrite()` of proxy.ts, and the cookies that were set
 */
export function withCachePolicy(
  answer: HandlerResponse,
  added: HeaderLines,
  context: CacheControlContext,
): HandlerResponse {
  const isCached = answer.kept !== undefined || answer.prerendered !== undefined
  const isPersonal = setsCookie(answer.headers) || setsCookie(added)
  if (isCached) return cachedAnswer(answer, added, { ...context, isPersonal })
  const own = cacheControlOf(answer.headers)
  const isOverridden =
    cacheControlOf(added) !== null && !isPersonal && mayBeOverridden(answer, own, context)
  if (isOverridden) return { ...answer, headers: [...withoutCaching(answer.headers), ...added] }
  const isMissing = own === null && (context.isPerRequest || isPersonal)
  return addLines(answer, [...withoutCaching(added), ...(isMissing ? privateNoStore : [])])
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

/** The answer of a page that is cached for all, as proxy.ts lets this request have it. */
function cachedAnswer(
  answer: HandlerResponse,
  added: HeaderLines,
  { isPerRequest, isPersonal }: CacheControlContext & { readonly isPersonal: boolean },
): HandlerResponse {
  const others = withoutCaching(added)
  if (isPersonal) return replaceCaching(answer, [...others, ...privateNoStore])
  if (!isPerRequest || answer.hasOwnCaching) return addLines(answer, others)
  return cacheControlOf(added) === null
    ? replaceCaching(answer, [...others, ['cache-control', 'private, no-cache']])
    : replaceCaching(answer, added)
}

function addLines(answer: HandlerResponse, added: HeaderLines): HandlerResponse {
  return added.length === 0 ? answer : { ...answer, headers: [...answer.headers, ...added] }
}

function replaceCaching(answer: HandlerResponse, added: HeaderLines): HandlerResponse {
  const headers = [...withoutCaching(answer.headers), ...added]
  const saysCdn = added.some(([name]) => name === 'cdn-cache-control')
  // The adapter puts them over the lines of the file: an empty value removes one.
  if (answer.prerendered !== undefined && !saysCdn) headers.push(['cdn-cache-control', ''])
  return { ...answer, headers }
}

function setsCookie(headers: HeaderLines): boolean {
  return headers.some(([name]) => name.toLowerCase() === 'set-cookie')
}
