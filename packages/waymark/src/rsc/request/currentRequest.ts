import type { Cache } from '../../cache/cache.ts'
import type { ServerRequest } from '../../http/response.ts'
import { findScope, type RequestPhase } from './scope.ts'

/** The request for which code of the app runs now. */
export type CurrentRequest = {
  readonly phase: RequestPhase
  /** As the app sees it: `proxy.ts` may have changed its URL and headers. */
  readonly request: ServerRequest
  /** `null` where the app runs without a cache, as in unit tests. */
  readonly cache: Cache | null
  /**
   * Reports an error to the journal, with the request at which it happened. Never throws.
   * @returns the digest, which may be shown to the visitor
   */
  readonly reportError: (thrown: unknown) => string
}

/**
 * Finds the request for which code of the app runs now.
 * @returns `null` outside of a request, and in a cached function, because requests share its result
 */
export function currentRequest(): CurrentRequest | null {
  const scope = findScope()
  if (scope === null || scope.phase === 'cache') return null
  const { phase, request, context } = scope
  return { phase, request, cache: context.cache, reportError: context.after.onError }
}
