import { privateNoStore } from '../builds/cacheControl.ts'
import { prefersJson } from '../http/accept.ts'
import {
  type Handle,
  type HandlerResponse,
  type HeaderLines,
  headerOf,
  type Responding,
  type ServerRequest,
  setsCookie,
} from '../http/response.ts'
import { fromResponse } from '../http/web.ts'
import type { RouteMatch } from '../routing/match.ts'
import { changedHeader, probeType, refusalHeader } from '../wire/protocol.ts'
import { mayHaveUserCookie } from '../wire/userCookie.ts'
import { handleAction, readActionRequest } from './action/handleAction.ts'
import { createPostedPage } from './action/postedPage.ts'
import { toCallResponse } from './action/responses.ts'
import { updateUserCookie } from './action/updateUserCookie.ts'
import { createRequestScope } from './createRequestScope.ts'
import { findEndpoint, respondByEndpoint } from './endpoints.ts'
import { methodResponse, statusResponse, thrownResponse } from './errors/screenResponse.ts'
import type { HandlerApp, HandlerMode } from './handlerApp.ts'
import { withinDocumentLimit } from './page/documentLimit.ts'
import { failureInBrowser } from './page/fallbacks.ts'
import { createPageRequest } from './page/pageRequest.ts'
import { builtNotFoundResponse, noIcon, probeResponse } from './page/pageResponse.ts'
import { refuseOtherUser } from './page/pageUser.ts'
import { withVariant } from './page/pageVariants.ts'
import { isPrefetch, respondToPrefetch } from './page/prefetchShell.ts'
import { respondWithPage } from './page/renderPage.ts'
import { cacheableUrl } from './pageCache/lookup.ts'
import { respondFromShell } from './partial/respondFromShell.ts'
import { admitOtherPages } from './proxy/admitOtherPages.ts'
import { passProxy } from './proxy/proxy.ts'
import { redirectToUrl } from './redirectToUrl.ts'
import { withAfterTasks } from './request/after.ts'
import { createExchange, type Exchange, occurrenceOf } from './request/exchange.ts'
import { isCall, noOtherPages, readOtherPages } from './request/otherPages.ts'
import {
  isPageTarget,
  isRead,
  type PageTarget,
  type ParsedRequest,
  readRequest,
} from './request/readRequest.ts'
import { dependsOnRequest, runsForPage, runsForRequests } from './request/requestDependence.ts'
import { responseHeaders, runInScope } from './request/scope.ts'
import type { ObservedMatch } from './request/serverObserver.ts'
import { respondByRouteHandler } from './respondByRouteHandler.ts'
import { withCachePolicy } from './security/cachePolicy.ts'
import { securedResponse } from './security/csp.ts'
import { respondAround } from './serverOptions.ts'

const forClients: HandlerMode = { phase: 'render' }

/**
 * Creates the function that responds to every request, in this order:
 *
 * 1. An endpoint of the framework or of a package responds at its own path.
 * 2. `readRequest` parses the URL. A URL that isn't canonical is redirected, and an invalid URL is refused.
 *    `redirectToUrl` redirects to the only URL of a page if a package gives pages other URLs.
 * 3. `around` of server.ts wraps everything that follows (`respondInScope`).
 * 4. proxy.ts responds, rewrites the URL or lets the request pass. Then the URL is matched to a route,
 *    which responds from the page cache, runs its route handler or an action, or renders its page
 *    (`respondByRoute`).
 * 5. The response gets its cookies, its cache policy and its security headers (`finishResponse`).
 *
 * If a result may already be available, the code doesn't await it, but checks if it is a promise.
 * The reason is in docs/decisions/rendering-cost.md.
 */
export function createHandler(app: HandlerApp, mode: HandlerMode = forClients): Handle {
  function handle(request: ServerRequest): Responding {
    const endpoint = findEndpoint(request, app.endpoints)
    if (endpoint) {
      return respondByEndpoint(request, endpoint, app).then(
        (response) => response ?? respondByApp(request, app, mode),
      )
    }
    const responding = respondByApp(request, app, mode)
    return request.headers.get('accept') === eventStream ? markRefusal(responding) : responding
  }

  const { observer } = app
  if (observer === null || mode.phase === 'prerender') return handle
  return (request) => observer.request(request, () => handle(request))
}

function respondByApp(request: ServerRequest, app: HandlerApp, mode: HandlerMode): Responding {
  const address = readRequest(request)
  if (!isPageTarget(address)) return respondWithoutPage(address, request, app)
  const redirect = redirectToUrl(address, request, app)
  if (redirect) return securedResponse(redirect, app.security, null)
  // Match the route now if no app code has to run before and the request doesn't claim to come from
  // a different page.
  const isMatchedLater =
    mode.phase === 'prerender' ||
    runsForPage(app, address.pathname) ||
    readOtherPages({ destination: address, address, request }, app) !== noOtherPages
  const match = isMatchedLater ? undefined : app.matcher.match(address.pathname)
  if (match === null) {
    const notFound = builtNotFoundResponse({ destination: address, request }, app)
    if (notFound) return notFound
  }
  const scope = createRequestScope(request, address, app, mode)
  const exchange = createExchange({ request, address, match, scope })
  return runInScope(scope, () => respondInScope(exchange, app, mode))
}

/** Runs `around`, which runs the route. Also turns errors outside of any page into responses. */
async function respondInScope(
  exchange: Exchange,
  app: HandlerApp,
  mode: HandlerMode,
): Promise<HandlerResponse> {
  const { address, received, scope } = exchange
  const fail = (thrown: unknown) => failedResponse(thrown, exchange, app)
  let response: HandlerResponse
  try {
    response = await (app.around
      ? respondAround({
          around: app.around,
          address,
          request: received,
          scope,
          buildId: app.buildId,
          deadlineMs: app.settleDeadlineMs,
          respond(request) {
            exchange.received = request
            exchange.request = request
            return respondByRoute(exchange, app).catch(fail)
          },
        })
      : respondByRoute(exchange, app))
  } catch (thrown) {
    response = fail(thrown)
  }
  if (isCall(received)) {
    const callResponse = toCallResponse(response, app)
    response = callResponse instanceof Promise ? await callResponse : callResponse
  }
  return finishResponse(response, exchange, app, mode)
}

/**
 * Responds with proxy.ts or the matched route, which responds in the variant of its page.
 * @throws errors from proxy.ts, a route handler or a page's outermost fallback
 */
async function respondByRoute(exchange: Exchange, wholeApp: HandlerApp): Promise<HandlerResponse> {
  const { scope, address } = exchange

  // If the route is already matched, proxy.ts doesn't run for this URL.
  if (exchange.match === undefined) {
    const proxy = scope.phase === 'prerender' ? null : wholeApp.proxy
    if (proxy?.matches(address.pathname)) {
      const { buildId } = wholeApp
      const response = await passProxy(exchange, { proxy, buildId })
      if (response) return response
      const { pathname } = exchange.destination
      // The server sends the file itself, without calling the handler for pathnames that proxy.ts
      // doesn't match.
      if (isDocumentRead(exchange) && wholeApp.hasFile(pathname)) {
        return { status: 200, headers: [], body: null, prerendered: pathname }
      }
      if (pathname !== address.pathname)
        exchange.destination = toOnlyUrl(exchange.destination, wholeApp)
    }
    const claimed = readOtherPages(exchange, wholeApp)
    if (claimed !== noOtherPages) await admitOtherPages(claimed, exchange, proxy)
  }
  const matching = matchRoute(exchange, wholeApp)
  const match = matching instanceof Promise ? await matching : matching

  const { request, destination } = exchange
  const app = withVariant(wholeApp, { pathname: destination.pathname, params: match?.params ?? {} })
  const isProbe = request.method === 'GET' && request.headers.get('accept') === probeType
  if (isProbe) return probeResponse(app.buildId)

  // If a page failed in the browser, the browser requests the fallback screen for the failure.
  const failure = match?.leaf === 'page' ? failureInBrowser(match.root, exchange) : null

  const url = failure ? null : cacheableUrl(exchange, app.pageCache)
  const hasShell = url !== null && app.pageCache.isPartial(url.pattern)
  if (url && !hasShell) {
    const caching = app.pageCache.respond(url)
    const cached = caching instanceof Promise ? await caching : caching
    // The cache only has HTML screens, so don't send one to a client that prefers JSON.
    if (cached && (cached.status < 400 || !prefersJson(request.headers.get('accept'))))
      return cached
  }

  if (match?.leaf === 'route') return respondByRouteHandler(match, exchange, app)

  const posted = readActionRequest(request, destination)
  // Without actions, refuse a POST; but a call always needs a response in the format of calls.
  if (posted && (posted.kind === 'call' || !app.actions.isEmpty)) {
    return handleAction(posted, createPostedPage(posted, exchange, app), app)
  }

  if (!isRead(request)) return methodResponse(request, app)

  const refusal = refuseOtherUser(exchange, app)
  const refused = refusal && (await refusal)
  if (refused) return refused

  if (hasShell) {
    const response = await respondFromShell(url, exchange, app)
    if (response) return response
  }

  if (!failure && scope.phase === 'render') {
    if (isPrefetch(request)) return respondToPrefetch(exchange, app)
    if (match === null) {
      if (destination.pathname === '/favicon.ico') return noIcon
      const notFound = builtNotFoundResponse(exchange, app)
      if (notFound) return notFound
    }
  }

  const page = createPageRequest(exchange, app)
  return withinDocumentLimit(exchange, app, () => respondWithPage(page, app, failure))
}

/**
 * Responds to a URL that can't be a page: one to redirect or refuse, or one outside the base path.
 */
function respondWithoutPage(
  address: Exclude<ParsedRequest, PageTarget>,
  request: ServerRequest,
  app: HandlerApp,
): HandlerResponse {
  const { security, theme, screens } = app
  if (address.kind === 'redirect') {
    const headers: HeaderLines = [['location', address.location]]
    // If app code decides about requests, no cache may store the redirect, although its location
    // depends only on the URL.
    if (runsForRequests(app)) headers.push(...privateNoStore)
    return securedResponse({ status: 308, headers, body: null }, security, null)
  }
  const outside = address.kind === 'outside' ? app.proxy?.respondOutside(request) : null
  if (outside) {
    // This redirect leads out of the base path, so don't add `basePath` to the location.
    const response = fromResponse(outside, (location) => location)
    const uncached = withCachePolicy(response, [], {
      method: request.method,
      kind: 'document',
      isPerRequest: true,
      isWrittenByApp: true,
    })
    return securedResponse(uncached, security, null)
  }
  const status = address.kind === 'bad' ? address.status : 404
  const response = statusResponse(status, { request, theme: theme.config, screens })
  return securedResponse(response, security, security.createNonce)
}

/** Replaces the path to which proxy.ts has rewritten by the URL under which its page is stored. */
function toOnlyUrl(destination: PageTarget, { routeUrls, matcher }: HandlerApp): PageTarget {
  if (routeUrls === null) return destination
  const pathname = routeUrls.toUrl(routeUrls.toRoute(destination.pathname))
  return matcher.match(pathname) === null ? destination : { ...destination, pathname }
}

/**
 * Matches the URL if that hasn't happened yet, and checks that a closed route (`dynamicParams:
 * false`) lists it.
 */
function matchRoute(
  exchange: Exchange,
  app: HandlerApp,
): RouteMatch | null | Promise<RouteMatch | null> {
  const { scope, destination, otherPages } = exchange
  const { isDraft, timings } = scope.context
  const endTiming = timings?.start('match')
  const from = otherPages.from ?? undefined
  const match =
    exchange.match === undefined
      ? app.matcher.match(destination.pathname, { from })
      : exchange.match
  endTiming?.()

  function setMatch(isListed: boolean): RouteMatch | null {
    exchange.match = isListed ? match : null
    scope.match = exchange.match
    const pattern = exchange.match?.pattern ?? null
    timings?.matched(pattern)
    app.observer?.matched?.({ pattern, kind: kindOf(exchange) })
    return exchange.match
  }

  // Draft mode also shows pages that aren't listed yet.
  if (match === null || isDraft) return setMatch(true)
  const isListed = app.isListed(match.pattern, destination.pathname)
  return isListed instanceof Promise ? isListed.then(setMatch) : setMatch(isListed)
}

function kindOf({ received, address }: Exchange): ObservedMatch['kind'] {
  if (isCall(received)) return 'call'
  return isPrefetch(received) ? 'prefetch' : address.kind
}

function isDocumentRead({ request, destination }: Exchange): boolean {
  return isRead(request) && destination.kind === 'document'
}

function failedResponse(thrown: unknown, exchange: Exchange, app: HandlerApp): HandlerResponse {
  const { theme, screens, report, buildId } = app
  const occurrence = occurrenceOf(exchange)
  return thrownResponse(thrown, { ...occurrence, theme: theme.config, screens, report, buildId })
}

/** Adds cookies, the headers of proxy.ts, the cache policy and the security headers. */
function finishResponse(
  response: HandlerResponse,
  exchange: Exchange,
  app: HandlerApp,
  mode: HandlerMode,
): HandlerResponse | Promise<HandlerResponse> {
  const { scope, received, address, proxyHeaders } = exchange
  const { context } = scope
  const added: HeaderLines = [...proxyHeaders, ...responseHeaders(scope)]
  const isWrittenByApp = scope.phase === 'route-handler' || scope.phase === 'proxy'
  // Ask before `user` in server.ts runs, because `user` reads cookies, too.
  const isPerRequest = dependsOnRequest(scope)

  function finish(userCookies: HeaderLines): HandlerResponse {
    added.push(...userCookies)
    // Look for cookies in all headers: a repeated call gets the stored response with the action's
    // cookies, and proxy.ts may add others.
    if (isCall(received) && setsCookie([...response.headers, ...added])) {
      added.push([changedHeader, 'session'])
    }
    if (import.meta.env?.DEV && context.timings) {
      added.push(['server-timing', context.timings.header()])
    }
    const finished = withCachePolicy(response, added, {
      method: received.method,
      kind: address.kind,
      isDraft: context.isDraft,
      isPerRequest,
      isWrittenByApp,
    })
    // The policy of a static document contains hashes instead of a nonce.
    const nonce = mode.phase === 'prerender' ? null : context.nonce
    return withAfterTasks(securedResponse(finished, app.security, nonce), scope)
  }

  const cookieHeader = context.sentHeaders.get('cookie')
  if (!mayHaveUserCookie(cookieHeader)) return finish([])
  const updating = updateUserCookie(cookieHeader, {
    scope,
    request: received,
    headers: [...response.headers, ...added],
    isWrittenByApp,
    isCredential: app.isCredential,
    report: (thrown) => app.report(thrown, occurrenceOf(exchange)),
  })
  return updating.then(finish)
}

const eventStream = 'text/event-stream'

/**
 * Marks a refused event stream as refused by the site. Without this header, the client assumes that
 * a proxy refused the stream, and tries again.
 */
async function markRefusal(responding: Responding): Promise<HandlerResponse> {
  const response = await responding
  const { status, headers } = response
  const isStream = headerOf(headers, 'content-type')?.startsWith(eventStream) === true
  if (isStream || (status >= 300 && status < 400)) return response
  return { ...response, headers: [...headers, [refusalHeader, String(status)]] }
}
