import { withoutCaching } from '../../builds/cacheControl.ts'
import {
  type HandlerResponse,
  type HeaderLines,
  headerOf,
  type RequestHeaders,
  type ServerRequest,
  withoutHeader,
} from '../../http/response.ts'
import { fromResponse, isResponse, responseProblem } from '../../http/web.ts'
import { parseTarget } from '../../routing/canonicalUrl.ts'
import { basePath, withBasePath, withoutBasePath } from '../../shared/basePath.ts'
import { frameworkError } from '../../shared/errors.ts'
import { documentHeader, internalPrefix, isInternalHeader } from '../../wire/protocol.ts'
import { signalOf } from '../../wire/signals.ts'
import { redirectResponse } from '../page/pageResponse.ts'
import type { Exchange } from '../request/exchange.ts'
import { limitBody, toWebRequest } from '../request/readBody.ts'
import type { PageTarget } from '../request/readRequest.ts'
import { markPerRequest } from '../request/requestDependence.ts'
import { advanceScope } from '../request/scope.ts'
import { observed } from '../request/serverObserver.ts'
import { compileMatcher, type ProxyMatcher } from './proxyMatcher.ts'

/** Information about the request, the second argument of proxy.ts. */
export type ProxyContext = {
  /**
   * The requested pathname, if proxy.ts has already rewritten it to this request's pathname;
   * otherwise `null`.
   */
  readonly rewrittenFrom: string | null
  /**
   * Value of `x-forwarded-for` for a request that proxy.ts sends to a different server: the
   * addresses from a trusted proxy, then the peer's. `null` if the runtime doesn't know an address.
   */
  readonly forwardedFor: string | null
  /** The client's address: the peer's, or the one that a trusted proxy reports. */
  readonly remoteAddress: string | null
}

/**
 * The function that proxy.ts exports. It returns a `Response`, `next()`, `rewrite()`, or nothing to
 * continue.
 */
export type ProxyFunction = (
  request: Request,
  context: ProxyContext,
) => Response | ProxyResult | undefined | null | Promise<Response | ProxyResult | undefined | null>

/** The `config` that proxy.ts exports. */
export type ProxyConfig = {
  /** Paths for which the function runs. Default: all paths except files. */
  readonly matcher?: ProxyMatcher | undefined
}

/** A request before routing, with the canonical URL of its page. */
export type ProxyRequest = {
  readonly request: ServerRequest
  readonly pathname: string
  readonly search: string
}

export type ProxyDecision =
  /**
   * The request continues with this URL, which may have been rewritten. `headers` are added to the
   * response.
   */
  | (ProxyRequest & { readonly kind: 'next'; readonly headers: HeaderLines })
  | { readonly kind: 'response'; readonly response: HandlerResponse }

export type AppProxy = {
  matches(pathname: string): boolean
  /** Runs the function. Rejects with the errors and signals that the function throws. */
  decide(proxied: ProxyRequest): Promise<ProxyDecision>
  /** Returns true if the function runs before a file in `public/` is sent. */
  matchesFile(pathname: string): boolean
  /** Responds to a URL outside of `basePath`. `null` means 404. */
  respondOutside(request: ServerRequest): Response | null
}

/** Creates the proxy from the exports of proxy.ts. @throws `PROXY_EXPORT`, `PROXY_MATCHER` */
export function createProxy(module: Readonly<Record<string, unknown>>): AppProxy {
  const run = functionOf(module)
  const config = module.config as ProxyConfig | undefined
  const matches = compileMatcher(config?.matcher)
  const { outside, matchesFile = () => false, seesRewrites = false } = module as PluginExports

  async function decide(proxied: ProxyRequest): Promise<ProxyDecision> {
    const decision = await runProxy(proxied, null)
    if (decision.kind === 'response' || seesRewrites) return decision
    const { pathname } = decision
    return pathname !== proxied.pathname && matches(pathname)
      ? admitRewrite(proxied, decision)
      : decision
  }

  /**
   * Runs the function again for the path to which it has rewritten, so that its guards see that
   * path, too. If this run refuses, the request is refused. If it rewrites again, that is ignored:
   * code that adds a prefix to each path would never end.
   */
  async function admitRewrite(original: ProxyRequest, rewritten: Passed): Promise<ProxyDecision> {
    const request = withoutBody(rewritten.request)
    let decision: ProxyDecision
    try {
      decision = await runProxy({ ...rewritten, request }, original.pathname)
    } catch (thrown) {
      const signal = signalOf(thrown)
      if (signal?.kind === 'redirect' && leadsBack(withBasePath(signal.location), original)) {
        return rewritten
      }
      throw thrown
    }
    if (decision.kind === 'next') return withSecondHeaders(rewritten, decision, request)
    const { status, headers } = decision.response
    const location = status >= 300 && status < 400 ? headerOf(headers, 'location') : null
    return location !== null && leadsBack(location, original) ? rewritten : decision
  }

  async function runProxy(
    proxied: ProxyRequest,
    rewrittenFrom: string | null,
  ): Promise<ProxyDecision> {
    const { request, pathname, search } = proxied
    const source = request.toRequest()
    const web = limitBody(toWebRequest(request, { path: pathname + search, source }))
    const context = new LazyContext(request, rewrittenFrom)
    const result = await run(web, context)
    const refuse = (reason: string) => frameworkError('PROXY_RESULT', { pathname, reason })
    if (isResponse(result)) {
      const problem = responseProblem(result)
      if (problem) throw refuse(problem)
      return { kind: 'response', response: fromResponse(result) }
    }
    if (result !== undefined && result !== null && !isProxyResult(result)) {
      throw refuse(`it is a value of type ${typeof result}`)
    }
    if (web.bodyUsed) {
      throw refuse('it read the body and then let the request continue; read request.clone()')
    }
    const isRewrite = result?.kind === 'rewrite'
    return {
      kind: 'next',
      ...(isRewrite ? parseRewrite(result.target ?? '', proxied) : { pathname, search }),
      headers: [...(result?.headers ?? [])],
      request: followingRequest(request, web, result?.requestHeaders ?? null),
    }
  }

  const respondOutside = (request: ServerRequest) => outside?.(request.toRequest()) ?? null
  return { matches, matchesFile, decide, respondOutside }
}

/**
 * Computes addresses on first use. An address behind a trusted proxy takes 5 µs, and most functions
 * don't read any. A class, for the same reason as `NodeRequest`.
 */
class LazyContext implements ProxyContext {
  readonly rewrittenFrom: string | null
  readonly #request: ServerRequest

  constructor(request: ServerRequest, rewrittenFrom: string | null) {
    this.#request = request
    this.rewrittenFrom = rewrittenFrom
  }

  get forwardedFor(): string | null {
    return this.#request.forwardedFor ?? null
  }

  get remoteAddress(): string | null {
    return this.#request.remoteAddress ?? null
  }
}

type Passed = Extract<ProxyDecision, { kind: 'next' }>

/** True for a redirect back to the requested URL, which would never end. */
function leadsBack(location: string, { request, pathname, search }: ProxyRequest): boolean {
  const { origin } = request
  if (!URL.canParse(location, origin)) return false
  const url = new URL(location, origin)
  const path = withoutBasePath(url.pathname + url.search)
  const target = path === null ? null : parseTarget(path)
  return (
    url.origin === origin &&
    target?.kind === 'ok' &&
    target.pathname === pathname &&
    target.search === search
  )
}

/**
 * Adds the headers that proxy.ts set when it ran again for the rewritten path. The first run's
 * headers win.
 * @param secondRequest the request that was passed to the second run
 */
function withSecondHeaders(first: Passed, second: Passed, secondRequest: ServerRequest): Passed {
  const names = new Set(first.headers.map(([name]) => name))
  const lines = new Set(first.headers.map(String))
  const added = second.headers.filter((line) =>
    line[0] === 'set-cookie' ? !lines.has(String(line)) : !names.has(line[0]),
  )
  const { request } = first
  const isReplaced = second.request.headers !== secondRequest.headers
  const replaced = isReplaced && new Headers([...second.request.headers.entries()])
  return {
    ...first,
    headers: [...first.headers, ...added],
    request: replaced ? followingRequest(request, request.toRequest(), replaced) : request,
  }
}

/** Exports of a package's module that replaces proxy.ts. `outside` runs none of the app's code. */
type PluginExports = Partial<Pick<AppProxy, 'matchesFile'>> & {
  readonly outside?: (request: Request) => Response | null
  /** True if the function itself applies its guards to the paths to which it rewrites. */
  readonly seesRewrites?: boolean
}

function functionOf(module: Readonly<Record<string, unknown>>): ProxyFunction {
  const run = module.default ?? module.proxy
  if (typeof run === 'function') return run as ProxyFunction
  throw frameworkError('PROXY_EXPORT', { exported: Object.keys(module) })
}

/**
 * Returns the request for the next step. It has the same `Request`, because a body can be read only
 * once.
 */
export function followingRequest(
  request: ServerRequest,
  web: Request,
  replaced: Headers | null,
): ServerRequest {
  const headers = replaced ? withInternal(replaced, request.headers) : request.headers
  return withBody(request, headers, () =>
    toWebRequest(request, { source: web, headers: new Headers([...headers.entries()]) }),
  )
}

/**
 * Copies a request. Values that are slow to compute are getters, which compute them on first use.
 */
function withBody(
  request: ServerRequest,
  headers: RequestHeaders,
  toRequest: () => Request,
): ServerRequest {
  const { method, target, origin, waitUntil } = request
  return {
    method,
    target,
    origin,
    headers,
    waitUntil,
    toRequest,
    get remoteAddress() {
      return request.remoteAddress
    },
    get forwardedFor() {
      return request.forwardedFor
    },
    get signal() {
      return request.signal
    },
  }
}

function withInternal(replaced: Headers, sent: RequestHeaders): RequestHeaders {
  const lines = [...replaced].filter(([name]) => !isInternalHeader(name))
  for (const line of sent.entries()) if (isInternalHeader(line[0])) lines.push(line)
  return new Headers(lines)
}

export function parseRewrite(written: string, { request: { origin }, ...from }: ProxyRequest) {
  const refuse = (reason: string) =>
    frameworkError('PROXY_REWRITE', { target: written, reason }, written)
  const isWhole = written.startsWith(`${origin}/`)
  const target = isWhole ? withoutBasePath(written.slice(origin.length)) : written
  if (target === null) throw refuse(`it is not below ${basePath}`)
  if (!target.startsWith('/')) throw refuse(`it is neither a path nor a URL on ${origin}`)
  const withoutHash = target.split('#', 1)[0] ?? ''
  let parsed = parseTarget(withoutHash)
  // Paths that are joined from parts often end with a slash, so accept them.
  if (parsed.kind === 'redirect' && !withoutHash.startsWith('//')) {
    parsed = parseTarget(parsed.location)
  }
  if (parsed.kind === 'bad')
    throw refuse(`${parsed.reason} (requested: ${from.pathname}${from.search})`)
  if (parsed.kind !== 'ok') throw refuse('it leads to another site')
  if (parsed.pathname.startsWith(internalPrefix)) throw refuse('that path is reserved for Waymark')
  return { pathname: parsed.pathname, search: parsed.search }
}

/** Options of `next()` and `rewrite()`. */
export type ProxyResultOptions = {
  /** Headers to add to the response, whatever code creates it. */
  readonly headers?: HeadersInit | undefined
  /** Headers that replace the request's headers for all code that runs after proxy.ts. */
  readonly requestHeaders?: HeadersInit | undefined
}

/** Result of `next()` and `rewrite()`. */
export type ProxyResult = {
  readonly kind: 'next' | 'rewrite'
  /** Target of a rewrite: a path of the site, or a URL on the site's origin. */
  readonly target: string | null
  readonly headers: Headers
  readonly requestHeaders: Headers | null
}

/** Lets a request continue to its page or route handler. Return the result from proxy.ts. */
export function next(options: ProxyResultOptions = {}): ProxyResult {
  return createResult('next', null, options)
}

/**
 * Responds with a different path of the site, without changing the URL in the browser. Return the result from proxy.ts.
 * @param target a path of the site with its query, or a URL on the request's origin
 * @example export default (request: Request) => rewrite(new URL('/en/about', request.url))
 */
export function rewrite(target: string | URL, options: ProxyResultOptions = {}): ProxyResult {
  return createResult('rewrite', String(target), options)
}

export function isProxyResult(value: unknown): value is ProxyResult {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  return (value.kind === 'next' || value.kind === 'rewrite') && 'requestHeaders' in value
}

function createResult(
  kind: ProxyResult['kind'],
  target: string | null,
  { headers, requestHeaders }: ProxyResultOptions,
): ProxyResult {
  return {
    kind,
    target,
    headers: new Headers(headers),
    requestHeaders: requestHeaders === undefined ? null : new Headers(requestHeaders),
  }
}

/**
 * Runs proxy.ts before routing. If proxy.ts lets the request pass, the exchange gets the URL, the request headers and
 * the response headers that it returned.
 * @returns the response from proxy.ts, or `null` if the request passes
 * @throws errors and signals from proxy.ts
 */
export async function passProxy(
  exchange: Exchange,
  { proxy, buildId }: { readonly proxy: AppProxy; readonly buildId: string },
): Promise<HandlerResponse | null> {
  const { scope, request, destination } = exchange
  const { phase } = scope
  const endTiming = scope.context.timings?.start('proxy')
  scope.phase = 'proxy'
  // proxy.ts may read anything in the request, so the response depends on the request.
  markPerRequest(scope, 'proxy.ts')
  const decide = () => proxy.decide({ ...destination, request })
  const decision = await observed(scope.context.observer, { kind: 'proxy' }, decide)
  endTiming?.()
  if (decision.kind === 'response') {
    return translated(decision.response, destination.kind, { request, buildId })
  }
  const { pathname, search } = decision
  advanceScope(scope, { request: decision.request, url: { pathname, search }, phase })
  exchange.request = decision.request
  exchange.destination = { ...destination, pathname, search }
  exchange.proxyHeaders.push(...decision.headers)
  return null
}

/** Returns a copy of the request without its body. A body can be read only once. */
export function withoutBody(request: ServerRequest): ServerRequest {
  const { method, target, origin, headers } = request
  const sent = { method, headers: [...headers.entries()] }
  return withBody(request, headers, () => new Request(origin + target, sent))
}

export function translated(
  response: HandlerResponse,
  kind: PageTarget['kind'],
  { request, buildId }: { request: ServerRequest; buildId: string },
): HandlerResponse {
  const { status, headers } = response
  const location = headerOf(headers, 'location')
  if (kind === 'document') return response
  const isRedirect = status >= 300 && status < 400
  // The browser asked for page data, but the response is something else.
  if (location === null || !isRedirect)
    return { ...response, headers: [...headers, [documentHeader, '1']] }
  const target = withoutOrigin(location, request.origin)
  const redirect = redirectResponse({ status, location: target }, kind, buildId)
  const others = withoutHeader(headers, 'location')
  const isUncached = headerOf(others, 'cache-control') === null
  const dataHeaders = isUncached ? redirect.headers : withoutCaching(redirect.headers)
  return { ...redirect, headers: [...dataHeaders, ...others] }
}

// Removes the site's own origin from a location. `Response.redirect()` requires a full URL, even
// for the same site.
function withoutOrigin(location: string, origin: string): string {
  const whole = location.startsWith(`${origin}/`) ? location.slice(origin.length) : location
  const path = location === origin ? withoutBasePath('/') : withoutBasePath(whole)
  if (path === null) return new URL(location, origin).href
  // A path that isn't canonical, such as `//b`, could lead to a different site.
  return parseTarget(path).kind === 'ok' ? path : location
}
