import type { RequestHeaders, ServerRequest } from '../../http/response.ts'
import { parseTarget } from '../../routing/canonicalUrl.ts'
import { withSlotsOf } from '../../routing/intercept.ts'
import type { Matcher } from '../../routing/match.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { withoutBasePath } from '../../shared/basePath.ts'
import { actionHeader, besideHeader, maxBeside, navigationFromHeader } from '../../wire/protocol.ts'
import { signalOf } from '../../wire/signals.ts'
import type { PageTarget } from '../request/readRequest.ts'
import { markPerRequest } from '../request/requestDependence.ts'
import { advanceScope, forkScope, type RequestScope, runInScope } from '../request/scope.ts'
import { type AppProxy, followingRequest, withoutBody } from './proxy.ts'

/** Pages on the client's screen besides the page of its URL. */
export type ShownElsewhere = {
  /** The page that the navigation starts from, perhaps the background of an interception. */
  readonly from: string | null
  readonly beside: readonly string[]
}

export const nothingElsewhere: ShownElsewhere = { from: null, beside: [] }

type Routed = {
  readonly app: { readonly isIntercepted: (pathname: string) => boolean }
  readonly read: PageTarget
  readonly shown: PageTarget
  readonly request: ServerRequest
}

/** Reads the client's claims about other pages. `admitElsewhere` decides which are used. */
export function readShownElsewhere({ app, read, shown, request }: Routed): ShownElsewhere {
  const isCalling = isCall(request)
  if (read.kind !== 'data' && !isCalling) return nothingElsewhere
  const said = pathnameNavigatedFrom(request)
  const isOver = said !== undefined && said !== shown.pathname && app.isIntercepted(read.pathname)
  const from = isOver ? said : null
  const beside = isCalling ? pathnamesBeside(request) : []
  return from === null && beside.length === 0 ? nothingElsewhere : { from, beside }
}

/** True for a call by the app's script, whose response is data. */
export function isCall({ method, headers }: ServerRequest): boolean {
  return method === 'POST' && headers.has(actionHeader)
}

export function pathnameNavigatedFrom(request: ServerRequest): string | undefined {
  return parsedPathnames(request.headers.get(navigationFromHeader))[0]
}

function pathnamesBeside(request: ServerRequest): string[] {
  const all = request.headers.get(besideHeader)?.split(',', maxBeside) ?? []
  return all.flatMap(parsedPathnames)
}

function parsedPathnames(said: string | null): string[] {
  const target = said === null ? null : parseTarget(withoutBasePath(said) ?? '')
  return target?.kind === 'ok' ? [target.pathname] : []
}

export function withSlotsBeside(
  root: MatchedSegment,
  { beside }: ShownElsewhere,
  matcher: Matcher,
): MatchedSegment {
  const others = beside.map((pathname) => matcher.match(pathname))
  return others.reduceRight((at, other) => (other ? withSlotsOf(at, other.root) : at), root)
}

type Claiming = {
  readonly proxy: AppProxy
  readonly scope: RequestScope
  readonly received: ServerRequest
  /** As proxy.ts left it, for the URL itself. */
  readonly request: ServerRequest
  /** True when proxy.ts lets another URL respond. */
  readonly isRewritten: boolean
}

/**
 * Keeps the claimed pages that proxy.ts admits for the same request.
 * @returns also the request with proxy.ts's headers for them
 * @throws what proxy.ts threw, except signals, which refuse a page
 */
export async function admitElsewhere(
  { from, beside }: ShownElsewhere,
  claiming: Claiming,
): Promise<{ readonly elsewhere: ShownElsewhere; readonly request: ServerRequest }> {
  const { scope, received } = claiming
  const ask = (pathname: string) => askProxy(pathname, claiming)
  const [behind, others] = await Promise.all([
    from === null ? null : ask(from),
    Promise.all(beside.map(ask)),
  ])
  const passed = [behind, ...others].filter((each) => each !== null)
  let { request } = claiming
  for (const { headers } of passed) request = withDecided(request, received, headers)
  const { url, phase } = scope
  if (request !== claiming.request) advanceScope(scope, { request, url, phase })
  const pathnames = others.flatMap((each) => each?.pathname ?? [])
  return { elsewhere: { from: behind?.pathname ?? null, beside: pathnames }, request }
}

/** An admitted page, and the request headers that proxy.ts set for it. */
type Passed = { readonly pathname: string; readonly headers: RequestHeaders }

/**
 * Asks proxy.ts about the same request for another page.
 * @returns `null` for a refused page, and for a rewritten one unless the request is rewritten, too
 */
async function askProxy(
  pathname: string,
  { proxy, scope, received, isRewritten }: Claiming,
): Promise<Passed | null> {
  if (!proxy.matches(pathname)) return { pathname, headers: received.headers }
  markPerRequest(scope, 'proxy.ts')
  const url = { pathname, search: '' }
  const asked = forkScope(scope, { request: received, url, phase: 'proxy' })
  const request = withoutBody(received)
  try {
    const decision = await runInScope(asked, () => proxy.decide({ request, ...url }))
    if (decision.kind !== 'next') return null
    const isThere = decision.pathname === pathname || isRewritten
    return isThere ? { pathname: decision.pathname, headers: decision.request.headers } : null
  } catch (thrown) {
    if (signalOf(thrown)) return null
    throw thrown
  }
}

/**
 * Applies the headers that proxy.ts set for another page, unless it decided about them for the URL
 * itself. A layout may trust such a header, `x-user`, which a client could forge.
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
