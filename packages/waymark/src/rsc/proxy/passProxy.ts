import { parseTarget } from '../../routing/canonical.ts'
import type { HandlerResponse, HeaderLines, ServerRequest } from '../../shared/answer.ts'
import { cacheControlOf, withoutCaching } from '../../shared/cacheControl.ts'
import { documentHeader } from '../../shared/protocol.ts'
import { signalOf } from '../../shared/signals.ts'
import { redirectResponse } from '../page/redirect.ts'
import type { PageTarget } from '../request/read.ts'
import { advanceScope, type RequestScope } from '../request/scope.ts'
import type { RunProxy } from './proxy.ts'

/** A request that proxy.ts let go on; its URL is the one whose route answers. */
export type ProxyPassed = {
  readonly kind: 'passed'
  readonly read: PageTarget
  readonly request: ServerRequest
  /** For the answer, whoever gives it. */
  readonly headers: HeaderLines
}

/**
 * Asks proxy.ts about a request, before its route is matched: the same for a page's document
 * and for its data.
 * @throws what its function threw, signals included
 */
export async function passProxy(
  read: PageTarget,
  request: ServerRequest,
  scope: RequestScope,
  proxy: RunProxy,
): Promise<ProxyPassed | { readonly kind: 'answered'; readonly answer: HandlerResponse }> {
  const { phase } = scope
  scope.phase = 'proxy'
  const decision = await proxy({ ...read, request })
  // Whatever it returned, it may have looked at anything of the request.
  if (decision.kind !== 'skip') scope.usage.reason ??= 'proxy.ts'
  switch (decision.kind) {
    case 'skip':
      scope.phase = phase
      return { kind: 'passed', read, request, headers: [] }
    case 'answer':
      return { kind: 'answered', answer: translated(decision.answer, read.kind, request) }
    case 'next':
      advanceScope(scope, { request: decision.request, url: scope.url, phase })
      return { kind: 'passed', read, request: decision.request, headers: decision.headers }
    case 'rewrite': {
      const { pathname, search } = decision
      advanceScope(scope, { request: decision.request, url: { pathname, search }, phase })
      const rewritten = { kind: read.kind, pathname, search }
      const { headers } = decision
      return { kind: 'passed', read: rewritten, request: decision.request, headers }
    }
  }
}

/**
 * Asks proxy.ts whether it would let the same request pass to another page of the app. What it
 * adds to the answer is dropped; the body, which can be read once, is not shown to it.
 * @param request as it was received
 * @throws what its function threw, signals excluded: those refuse
 */
export async function asksProxy(
  pathname: string,
  request: ServerRequest,
  scope: RequestScope,
  proxy: RunProxy,
): Promise<boolean> {
  const { request: following, url, phase } = scope
  advanceScope(scope, { request, url: { pathname, search: '' }, phase: 'proxy' })
  try {
    const decision = await proxy({ request: withoutBody(request), pathname, search: '' })
    // Led elsewhere, it is not let pass to this page.
    return decision.kind === 'rewrite' ? decision.pathname === pathname : decision.kind === 'next'
  } catch (thrown) {
    if (signalOf(thrown)) return false
    throw thrown
  } finally {
    advanceScope(scope, { request: following, url, phase })
  }
}

function withoutBody(request: ServerRequest): ServerRequest {
  const { method, target, origin, headers, remoteAddress, signal, waitUntil } = request
  const sent = { method, headers: [...headers.entries()] }
  const toRequest = () => new Request(origin + target, sent)
  return { method, target, origin, headers, remoteAddress, signal, waitUntil, toRequest }
}

// A redirect of page data has to lead to page data.
function translated(
  answer: HandlerResponse,
  kind: PageTarget['kind'],
  { origin }: ServerRequest,
): HandlerResponse {
  const { status, headers } = answer
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (kind === 'document') return answer
  const isRedirect = status >= 300 && status < 400
  // Whatever it is, it is no page data.
  if (location === undefined || !isRedirect)
    return { ...answer, headers: [...headers, [documentHeader, '1']] }
  const redirect = redirectResponse({ status, location: withoutOrigin(location, origin) }, kind)
  const others = headers.filter(([name]) => name.toLowerCase() !== 'location')
  const own = cacheControlOf(others) === null ? redirect.headers : withoutCaching(redirect.headers)
  return { ...redirect, headers: [...own, ...others] }
}

// Response.redirect() wants a whole URL, also for a page of this site.
function withoutOrigin(location: string, origin: string): string {
  if (location === origin) return '/'
  if (!location.startsWith(`${origin}/`)) return location
  const path = location.slice(origin.length)
  // Only in canonical form: by itself, //b would name another site.
  return parseTarget(path).kind === 'ok' ? path : location
}
