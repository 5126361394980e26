import type { Cache } from '../cache/cache.ts'
import type { Endpoint } from '../shared/endpoint.ts'
import type { RequestHeaders, ServerRequest } from '../shared/response.ts'
import type { PageReads } from './request/scope.ts'
import type { Sealer } from './request/draftMode.ts'

/** Creates what keeps open pages current, for `@waymark/live`. */
export type CreateLive = (app: {
  readonly cache: Pick<Cache, 'mark' | 'isChanged' | 'onInvalidated' | 'invalidate'>
  readonly sealer: () => Sealer
  /** Names whoever sent a request; `setCookies` as the response changes them. */
  readonly ownerOf: (request: Sent, setCookies?: readonly string[]) => string
}) => {
  readonly endpoint: Endpoint
  readonly followReads: (request: ServerRequest) => PageReads
}

type Sent = { readonly headers: Pick<RequestHeaders, 'get'>; readonly target: string }
