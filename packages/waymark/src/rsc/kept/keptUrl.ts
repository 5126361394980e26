import type { RouteMatch } from '../../routing/match.ts'
import type { ServerRequest } from '../../shared/answer.ts'
import { navigationFromHeader } from '../../shared/protocol.ts'
import type { PageTarget } from '../request/read.ts'
import type { RequestScope } from '../request/scope.ts'

/** A URL whose answer may be kept. */
export type CacheableUrl = {
  readonly pathname: string
  /** Of its route. */
  readonly pattern: string
  readonly form: 'document' | 'data'
}

/** What decides whether a request may be answered by what is kept. */
export type CacheableRequest = {
  readonly app: {
    /** Whether a navigation inside the app may show another page at a pathname. */
    readonly isIntercepted: (pathname: string) => boolean
  }
  readonly scope: RequestScope
  /** The URL whose route answers. */
  readonly read: PageTarget
  /** The URL in the browser, which differs after a rewrite. */
  readonly shown: PageTarget
  readonly request: ServerRequest
}

/**
 * Tells whether a request may be answered by what is the same for everybody.
 * @param kept tells of a route whether its answers are kept
 * @returns what it is kept under, or `null`
 */
export function cacheableUrl(
  match: RouteMatch,
  { app, scope, read, shown, request }: CacheableRequest,
  { isStatic }: { readonly isStatic: (pattern: string) => boolean },
): CacheableUrl | null {
  const { pattern } = match
  const { pathname, kind: form } = read
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  if (scope.phase !== 'render' || scope.isDraft || !isStatic(pattern)) return null
  // After a rewrite by proxy.ts, a kept page would tell its own URL instead of the shown one.
  if (pathname !== shown.pathname) return null
  if (form === 'document') return { pathname, pattern, form }
  if (match.leaf === 'route') return null
  // Inside of the app, another page may be shown at this URL.
  const isElsewhere = request.headers.has(navigationFromHeader) && app.isIntercepted(pathname)
  return isElsewhere ? null : { pathname, pattern, form }
}
