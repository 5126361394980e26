import { parseTarget } from '../../routing/canonicalUrl.ts'
import { withSlotsOf } from '../../routing/intercept.ts'
import type { Matcher } from '../../routing/match.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { withoutBasePath } from '../../shared/basePath.ts'
import {
  actionHeader,
  besideHeader,
  maxBeside,
  navigationFromHeader,
} from '../../shared/protocol.ts'
import type { RequestHeaders, ServerRequest } from '../../shared/response.ts'
import { signalOf } from '../../shared/signals.ts'
import type { PageTarget } from '../request/readRequest.ts'
import { advanceScope, forkScope, type RequestScope, runInScope } from '../request/scope.ts'
import { type AppProxy, followingRequest, withoutBody } from './proxy.ts'

/** Pathnames of pages that a client has on the screen besides the page of its URL. */
export type ShownElsewhere = {
  /** The page that it navigates from, over which an intercepting page may be shown. */
  readonly from: string | null
  /** Pages that slots of the URL's page go on showing. */
  readonly beside: readonly string[]
}

/** What most requests say. */
export const nothingElsewhere: ShownElsewhere = { from: null, beside: [] }

/** A request, the URL whose route responds to it, and the URL in the browser. */
type Routed = {
  readonly app: { readonly isIntercepted: (pathname: string) => boolean }
  readonly read: PageTarget
  readonly shown: PageTarget
  readonly request: ServerRequest
}

/**
 * Reads what a client says to show elsewhere, as far as it changes the response. It is a claim:
 * `admitElsewhere` decides which of it is used.
 */
export function readShownElsewhere({ app, read, shown, request }: Routed): ShownElsewhere {
  const isCalling = isCall(request)
  if (read.kind !== 'data' && !isCalling) return nothingElsewhere
  const said = pathnameNavigatedFrom(request)
  const isOver = said !== undefined && said !== shown.pathname && app.isIntercepted(read.pathname)
  const from = isOver ? said : null
  const beside = isCalling ? pathnamesBeside(request) : []
  return from === null && beside.length === 0 ? nothingElsewhere : { from, beside }
}

/** Tells whether the app's own script calls an action: its response is data in any case. */
export function isCall({ method, headers }: ServerRequest): boolean {
  return method === 'POST' && headers.has(actionHeader)
}

/** The pathname that the client navigates from: parsed like any URL. */
export function pathnameNavigatedFrom(request: ServerRequest): string | undefined {
  return parsedPathnames(request.headers.get(navigationFromHeader))[0]
}

/** The pathnames of routes that slots of the page go on showing, by what the client says. */
function pathnamesBeside(request: ServerRequest): string[] {
  const all = request.headers.get(besideHeader)?.split(',', maxBeside) ?? []
  return all.flatMap(parsedPathnames)
}

function parsedPathnames(said: string | null): string[] {
  const target = said === null ? null : parseTarget(withoutBasePath(said) ?? '')
  return target?.kind === 'ok' ? [target.pathname] : []
}

/** A route with what its slots go on showing. */
export function withSlotsBeside(
  root: MatchedSegment,
  { beside }: ShownElsewhere,
  matcher: Matcher,
): MatchedSegment {
  const others = beside.map((pathname) => matcher.match(pathname))
  return others.reduceRight((at, other) => (other ? withSlotsOf(at, other.root) : at), root)
}

/** A request whose client says what it shows elsewhere. */
type Claiming = {
  readonly proxy: AppProxy
  readonly scope: RequestScope
  /** As the client sent it. */
  readonly received: ServerRequest
  /** As proxy.ts left it, for the URL itself. */
  readonly request: ServerRequest
  /** Whether proxy.ts lets another URL respond. */
  readonly isRewritten: boolean
}

/**
 * Keeps those pages elsewhere that proxy.ts lets the same request pass to. Of the others nothing is
 * matched, rendered or called: the request is one that has not named them.
 * @returns also the request that goes on: what proxy.ts does to its headers for these pages counts
 * @throws what the function of proxy.ts threw, signals excluded: those refuse
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

/** A page that proxy.ts lets a request pass to, and the headers that it would have there. */
type Passed = { readonly pathname: string; readonly headers: RequestHeaders }

/**
 * Asks proxy.ts where it would let the same request pass to, were it for another page of the app.
 * What it adds to the response is dropped; the body, which can be read once, is not shown to it.
 * @returns `null` where the request would not pass, or would get another page: only where the
 *   request itself is rewritten, the page behind is rewritten like it
 */
async function askProxy(
  pathname: string,
  { proxy, scope, received, isRewritten }: Claiming,
): Promise<Passed | null> {
  if (!proxy.matches(pathname)) return { pathname, headers: received.headers }
  scope.usage.reason ??= 'proxy.ts'
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
 * Gives a request the headers that proxy.ts has set or removed for a page elsewhere, unless it has
 * decided about them for the URL itself. A layout may rely on such a header, `x-user`, and the
 * client would send its own.
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
