import type { HeaderLines, ServerRequest } from '../../http/response.ts'
import type { RouteMatch } from '../../routing/match.ts'
import { noOtherPages, type OtherPages } from './otherPages.ts'
import type { PageTarget } from './readRequest.ts'
import type { RequestScope } from './scope.ts'

/** A request on its way through the handler, with the result of each step. */
export type Exchange = {
  /** The request before proxy.ts. */
  received: ServerRequest
  /** The request after proxy.ts, which may have replaced its headers. */
  request: ServerRequest
  /** The page of the URL in the browser. */
  readonly address: PageTarget
  /** The page that responds. Differs from `address` if proxy.ts has rewritten the URL. */
  destination: PageTarget
  /** Other pages that the client claims to show. proxy.ts has let them through. */
  otherPages: OtherPages
  /** The matched route; `undefined` before matching, and `null` if no route matches. */
  match: RouteMatch | null | undefined
  /** Headers that proxy.ts adds to the response, whatever code creates it. */
  readonly proxyHeaders: HeaderLines
  /** The scope in which app code finds its request, for `cookies()` and `headers()`. */
  readonly scope: RequestScope
}

type NewExchange = Pick<Exchange, 'request' | 'address' | 'match' | 'scope'>

/**
 * Creates the exchange for a request.
 * @param options `match` is the route at the address, if no app code runs before routing
 */
export function createExchange({ request, address, match, scope }: NewExchange): Exchange {
  return {
    received: request,
    request,
    address,
    destination: address,
    otherPages: noOtherPages,
    match,
    proxyHeaders: [],
    scope,
  }
}

/** Describes the request for the journal, for an error outside of any page. */
export function occurrenceOf({ address, scope }: Pick<Exchange, 'address' | 'scope'>) {
  // proxy.ts may have created this request. Use it, so that an error which was already reported
  // keeps its digest.
  return { ...address, request: scope.request, scope, match: scope.match ?? undefined }
}
