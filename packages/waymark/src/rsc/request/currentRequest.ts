import type { Cache } from '../../cache/cache.ts'
import type { ServerRequest } from '../../http/response.ts'
import { findScope, type RequestPhase } from './scope.ts'

/** The request for which the app's code is running. */
export type CurrentRequest = {
  readonly phase: RequestPhase
  /** The request as the app sees it: `proxy.ts` may have changed its URL and headers. */
  readonly request: ServerRequest
  /** Path of the page, which is the same for its document and its page data. */
  readonly pathname: string
  /** The app's cache; `null` if the app runs without a cache, as in unit tests. */
  readonly cache: Cache | null
  /**
   * Reports an error to the journal, together with its request. Never throws.
   * @returns the digest, which you may show to the visitor
   */
  readonly reportError: (thrown: unknown) => string
}

/**
 * Finds the request for which app code is running.
 * @returns `null` outside of a request, and in a cached function, whose result several requests
 * share
 */
export function currentRequest(): CurrentRequest | null {
  const scope = findScope()
  if (scope === null || scope.phase === 'cache') return null
  const { phase, request, url, context } = scope
  const { pathname } = url
  return { phase, request, pathname, cache: context.cache, reportError: context.after.onError }
}
