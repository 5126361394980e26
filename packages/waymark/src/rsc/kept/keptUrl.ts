import type { RouteMatch } from '../../routing/match.ts'
import type { ServerRequest } from '../../shared/answer.ts'
import { navigationFromHeader } from '../../shared/protocol.ts'
import type { ReadPage } from '../request/read.ts'
import type { RequestScope } from '../request/scope.ts'

/** A URL whose answer may be kept. */
export type KeptUrl = {
  readonly pathname: string
  /** Of its route. */
  readonly pattern: string
  readonly form: 'document' | 'data'
}

/** What decides whether a request may be answered by what is kept. */
export type KeptRequest = {
  readonly match: RouteMatch
  readonly scope: RequestScope
  /** The URL whose route answers. */
  readonly read: ReadPage
  /** The URL in the browser, which differs after a rewrite. */
  readonly shown: ReadPage
  readonly request: ServerRequest
  /** Whether the answers of a route are kept. */
  readonly isStatic: (pattern: string) => boolean
  /** Whether a navigation inside the app may show another page at a pathname. */
  readonly isIntercepted: (pathname: string) => boolean
}

/**
 * Tells whether a request may be answered by what is the same for everybody.
 * @returns what it is kept under, or `null`
 */
export function keptUrlOf(asked: KeptRequest): KeptUrl | null {
  const { match, scope, read, shown, request } = asked
  const { pattern } = match
  const { pathname, kind: form } = read
  if (scope.phase !== 'render' || scope.isDraft || !asked.isStatic(pattern)) return null
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  // After a rewrite by proxy.ts, a kept page would tell its own URL instead of the shown one.
  if (pathname !== shown.pathname) return null
  if (form === 'document') return { pathname, pattern, form }
  if (match.leaf === 'route') return null
  // Inside of the app, another page may be shown at this URL.
  const isElsewhere = request.headers.has(navigationFromHeader) && asked.isIntercepted(pathname)
  return isElsewhere ? null : { pathname, pattern, form }
}
