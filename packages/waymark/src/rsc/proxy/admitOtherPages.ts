import type { RequestHeaders, ServerRequest } from '../../http/response.ts'
import { signalOf } from '../../wire/signals.ts'
import type { Exchange } from '../request/exchange.ts'
import type { OtherPages } from '../request/otherPages.ts'
import { markPerRequest } from '../request/requestDependence.ts'
import { advanceScope, forkScope, runInScope } from '../request/scope.ts'
import { type AppProxy, followingRequest, withoutBody } from './proxy.ts'

/**
 * Runs proxy.ts for the other pages that the client claims to show. Adds the pages that it lets
 * through to the exchange, with the request headers that it sets for them.
 * @param proxy `null` if the app has no proxy.ts
 * @throws errors from proxy.ts, except signals, which just refuse a page
 */
export async function admitOtherPages(
  claimed: OtherPages,
  exchange: Exchange,
  proxy: AppProxy | null,
): Promise<void> {
  if (proxy === null) {
    exchange.otherPages = claimed
    return
  }
  const { scope, received } = exchange
  const admit = (pathname: string) => admitPage(pathname, exchange, proxy)
  const [from, beside] = await Promise.all([
    claimed.from === null ? null : admit(claimed.from),
    Promise.all(claimed.beside.map(admit)),
  ])
  const admitted = [from, ...beside].filter((page) => page !== null)
  let { request } = exchange
  for (const { headers } of admitted) request = withDecided(request, received, headers)
  if (request !== exchange.request) {
    const { url, phase } = scope
    advanceScope(scope, { request, url, phase })
    exchange.request = request
  }
  exchange.otherPages = {
    from: from?.pathname ?? null,
    beside: beside.flatMap((page) => page?.pathname ?? []),
  }
}

/** A page that proxy.ts let through, and the request headers that it set for this page. */
type AdmittedPage = { readonly pathname: string; readonly headers: RequestHeaders }

/**
 * Runs proxy.ts with the same request, but for a different page.
 * @returns `null` if the page is refused, or if only this page is rewritten
 */
async function admitPage(
  pathname: string,
  { scope, received, destination, address }: Exchange,
  proxy: AppProxy,
): Promise<AdmittedPage | null> {
  if (!proxy.matches(pathname)) return { pathname, headers: received.headers }
  markPerRequest(scope, 'proxy.ts')
  const url = { pathname, search: '' }
  const pageScope = forkScope(scope, { request: received, url, phase: 'proxy' })
  const request = withoutBody(received)
  try {
    const decision = await runInScope(pageScope, () => proxy.decide({ request, ...url }))
    if (decision.kind !== 'next') return null
    const isRewritten = destination.pathname !== address.pathname
    const isAdmitted = decision.pathname === pathname || isRewritten
    return isAdmitted ? { pathname: decision.pathname, headers: decision.request.headers } : null
  } catch (thrown) {
    if (signalOf(thrown)) return null
    throw thrown
  }
}

/**
 * Applies the request headers that proxy.ts set for the page, except those that it also set for the
 * requested URL. A layout may trust such a header, for example `x-user`, which a client could
 * otherwise forge.
 */
function withDecided(
  request: ServerRequest,
  received: ServerRequest,
  decided: RequestHeaders,
): ServerRequest {
  if (decided === received.headers) return request
  const headers = new Headers([...request.headers.entries()])
  const lines = [...received.headers.entries(), ...decided.entries()]
  for (const name of new Set(lines.map(([name]) => name))) {
    const sent = received.headers.get(name)
    const value = decided.get(name)
    if (value === sent || request.headers.get(name) !== sent) continue
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  return followingRequest(request, request.toRequest(), headers)
}
