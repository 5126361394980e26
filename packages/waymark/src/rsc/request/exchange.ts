import type { HeaderLines, ServerRequest } from '../../http/response.ts'
import type { RouteMatch } from '../../routing/match.ts'
import { noOtherPages, type OtherPages } from './otherPages.ts'
import type { PageTarget } from './readRequest.ts'
import type { RequestScope } from './scope.ts'

/** A request on its way through the handler, and all that the steps of that way have found out. */
export type Exchange = {
  /** The request before proxy.ts. */
  received: ServerRequest
  /** The request after proxy.ts, which may have replaced its headers. */
  request: ServerRequest
  /** The page of the URL in the browser. */
  readonly address: PageTarget
  /** The page that responds: that of the address, unless proxy.ts has rewritten the URL. */
  destination: PageTarget
  /** Pages that the client shows beside its own, as far as proxy.ts admits them. */
  otherPages: OtherPages
  /** `undefined` until the route is matched; `null` without a route. */
  match: RouteMatch | null | undefined
  /** Headers that proxy.ts adds to any response. */
  readonly proxyHeaders: HeaderLines
  /** In which code of the app finds its request: `cookies()`, `headers()`. */
  readonly scope: RequestScope
}

type NewExchange = Pick<Exchange, 'request' | 'address' | 'match' | 'scope'>

/** @param options `match`: of the address, if no code runs before the route is matched */
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

/** Describes the request of an error that occurred outside of any page, for the journal. */
export function occurrenceOf({ address, scope }: Pick<Exchange, 'address' | 'scope'>) {
  // The request as proxy.ts left it: an error that was reported on its way here keeps its digest.
  return { ...address, request: scope.request, scope, match: scope.match ?? undefined }
}
