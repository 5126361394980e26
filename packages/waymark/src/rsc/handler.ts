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
import { isPrefetch, respondToPrefetch } from './page/prefetchShell.ts'
import { respondWithPage } from './page/renderPage.ts'
import { cacheableUrl } from './pageCache/lookup.ts'
import { respondFromShell } from './partial/respondWithPartial.ts'
import { admitOtherPages } from './proxy/admitOtherPages.ts'
import { passProxy } from './proxy/proxy.ts'
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
import { respondByRouteHandler } from './respondByRouteHandler.ts'
import { withCachePolicy } from './security/cachePolicy.ts'
import { securedResponse } from './security/csp.ts'
import { respondAround } from './serverOptions.ts'

const forClients: HandlerMode = { phase: 'render' }

/**
 * Creates the function that responds to every request, in this order:
 *
 * 1. An endpoint of the framework or of a package responds at its own path.
 * 2. `readRequest` parses the URL, which is redirected if it is not canonical, and refused if it is bad.
 * 3. `around` of server.ts wraps everything that follows (`respondInScope`).
 * 4. proxy.ts responds, rewrites the URL or lets the request pass; the URL is matched to a route; and
 *    the route responds: from the page cache, by its handler, by an action or by rendering its page
 *    (`respondByRoute`).
 * 5. The response gets its cookies, its cache policy and its security headers (`finishResponse`).
 */
export function createHandler(app: HandlerApp, mode: HandlerMode = forClients): Handle {
  return function handle(request) {
    const endpoint = findEndpoint(request, app.endpoints)
    if (endpoint) {
      return respondByEndpoint(request, endpoint, app).then(
        (response) => response ?? respondByApp(request, app, mode),
      )
    }
    const responding = respondByApp(request, app, mode)
    return request.headers.get('accept') === eventStream ? markRefusal(responding) : responding
  }
}

function respondByApp(request: ServerRequest, app: HandlerApp, mode: HandlerMode): Responding {
  const address = readRequest(request)
  if (!isPageTarget(address)) return respondWithoutPage(address, request, app)
  // The route is matched here if no code of the app runs before, and there is no claim to check.
  const isMatchedLater =
    mode.phase === 'prerender' ||
    runsForPage(app, address.pathname) ||
    readOtherPages({ target: address, address, request }, app) !== noOtherPages
  const match = isMatchedLater ? undefined : app.matcher.match(address.pathname)
  if (match === null) {
    const notFound = builtNotFoundResponse({ target: address, request }, app)
    if (notFound) return notFound
  }
  const scope = createRequestScope(request, address, app, mode)
  const exchange = createExchange({ request, address, match, scope })
  return runInScope(scope, () => respondInScope(exchange, app, mode))
}

/** Responds to a URL that no page can have: it is redirected, refused or outside of the base path. */
function respondWithoutPage(
  address: Exclude<ParsedRequest, PageTarget>,
  request: ServerRequest,
  app: HandlerApp,
): HandlerResponse {
  const { security, theme, screens } = app
  if (address.kind === 'redirect') {
    const headers: HeaderLines = [['location', address.location]]
    // The location depends on the URL alone. No cache needs it where code decides about requests.
    if (runsForRequests(app)) headers.push(...privateNoStore)
    return securedResponse({ status: 308, headers, body: null }, security, null)
  }
  const outside = address.kind === 'outside' ? app.proxy?.respondOutside(request) : null
  if (outside) {
    // A redirect out of `basePath`: its location is not put below that path.
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

/** Runs `around`, and the route in it. An error outside of any page is a response, too. */
async function respondInScope(
  exchange: Exchange,
  app: HandlerApp,
  mode: HandlerMode,
): Promise<HandlerResponse> {
  const { address, received, scope } = exchange
  const fail = (thrown: unknown) => failedResponse(thrown, exchange, app)
  let response: HandlerResponse
  if (app.around) {
    response = await respondAround({
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
    }).catch(fail)
  } else {
    response = await respondByRoute(exchange, app).catch(fail)
  }
  if (isCall(received)) response = await toCallResponse(response, app)
  return finishResponse(response, exchange, app, mode)
}

/** @throws what proxy.ts, a route handler or the outermost fallback of a page threw */
async function respondByRoute(exchange: Exchange, app: HandlerApp): Promise<HandlerResponse> {
  const { scope, address } = exchange

  // A match that exists already has no proxy.ts before it.
  if (exchange.match === undefined) {
    const proxy = scope.phase === 'prerender' ? null : app.proxy
    if (proxy?.matches(address.pathname)) {
      const { buildId } = app
      const response = await passProxy(exchange, { proxy, buildId })
      if (response) return response
      const { pathname } = exchange.target
      // The server sends the files that proxy.ts does not match without the handler.
      if (isDocumentRead(exchange) && app.hasFile(pathname)) {
        return { status: 200, headers: [], body: null, prerendered: pathname }
      }
    }
    await admitOtherPages(exchange, { proxy, isIntercepted: app.isIntercepted })
  }
  const match = await matchRoute(exchange, app)

  const { request, target } = exchange
  const isProbe = request.method === 'GET' && request.headers.get('accept') === probeType
  if (isProbe) return probeResponse(app.buildId)

  // The page has failed in the browser, which asks for the screen of that status.
  const failure = match?.leaf === 'page' ? failureInBrowser(match.root, exchange) : null

  const url = failure ? null : cacheableUrl(exchange, app.pageCache)
  const hasShell = url !== null && app.pageCache.isPartial(url.pattern)
  if (url && !hasShell) {
    const cached = await app.pageCache.respond(url)
    // A cached screen is HTML.
    if (cached && (cached.status < 400 || !prefersJson(request.headers.get('accept'))))
      return cached
  }

  if (match?.leaf === 'route') return respondByRouteHandler(match, exchange, app)

  const posted = readActionRequest(request, target)
  // In an app without actions, pages have no POST; a call gets its own response.
  if (posted && (posted.kind === 'call' || !app.actions.isEmpty)) {
    return handleAction(posted, createPostedPage(posted, exchange, app), app)
  }

  if (!isRead(request)) return methodResponse(request, app)

  const refusal = await refuseOtherUser(exchange, app)
  if (refusal) return refusal

  if (hasShell) {
    const response = await respondFromShell(url, exchange, app)
    if (response) return response
  }

  if (!failure && scope.phase === 'render') {
    if (isPrefetch(request)) return respondToPrefetch(exchange, app)
    if (match === null) {
      if (target.pathname === '/favicon.ico') return noIcon
      const notFound = builtNotFoundResponse(exchange, app)
      if (notFound) return notFound
    }
  }

  const page = createPageRequest(exchange, app)
  return withinDocumentLimit(exchange, app, () => respondWithPage(page, app, failure))
}

/** Matches the URL, unless it is matched already, and checks that a closed route lists it. */
async function matchRoute(
  exchange: Exchange,
  app: HandlerApp,
): Promise<NonNullable<Exchange['match']> | null> {
  const { scope, target, otherPages } = exchange
  const { isDraft, timings } = scope.context
  const endTiming = timings?.start('match')
  const from = otherPages.from ?? undefined
  let match = exchange.match ?? null
  if (exchange.match === undefined) match = app.matcher.match(target.pathname, { from })
  endTiming?.()
  // A draft can't be listed yet.
  const isListed = match === null || isDraft || (await app.isListed(match.pattern, target.pathname))
  if (!isListed) match = null
  exchange.match = match
  scope.match = match
  timings?.matched(match?.pattern ?? null)
  return match
}

function isDocumentRead({ request, target }: Exchange): boolean {
  return isRead(request) && target.kind === 'document'
}

function failedResponse(thrown: unknown, exchange: Exchange, app: HandlerApp): HandlerResponse {
  const { theme, screens, report, buildId } = app
  const occurrence = occurrenceOf(exchange)
  return thrownResponse(thrown, { ...occurrence, theme: theme.config, screens, report, buildId })
}

/** Adds cookies, the headers of proxy.ts, the cache policy and the security headers. */
async function finishResponse(
  response: HandlerResponse,
  exchange: Exchange,
  app: HandlerApp,
  mode: HandlerMode,
): Promise<HandlerResponse> {
  const { scope, received, address, proxyHeaders } = exchange
  const { context } = scope
  const added: HeaderLines = [...proxyHeaders, ...responseHeaders(scope)]
  const isWrittenByApp = scope.phase === 'route-handler' || scope.phase === 'proxy'
  // Read before `user` of server.ts, which reads cookies of the request, too.
  const isPerRequest = dependsOnRequest(scope)
  const cookieHeader = context.sentHeaders.get('cookie')
  if (mayHaveUserCookie(cookieHeader)) {
    const updated = await updateUserCookie(cookieHeader, {
      scope,
      request: received,
      headers: [...response.headers, ...added],
      isWrittenByApp,
      isCredential: app.isCredential,
      report: (thrown) => app.report(thrown, occurrenceOf(exchange)),
    })
    added.push(...updated)
  }
  // A repeated call gets its cookies again, and proxy.ts may set some.
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
  // The policy of a static document is made of hashes.
  const nonce = mode.phase === 'prerender' ? null : context.nonce
  return withAfterTasks(securedResponse(finished, app.security, nonce), scope)
}

const eventStream = 'text/event-stream'

/** Marks a refused event stream: its client takes only a refusal of the site itself for lasting. */
async function markRefusal(responding: Responding): Promise<HandlerResponse> {
  const response = await responding
  const { status, headers } = response
  const isStream = headerOf(headers, 'content-type')?.startsWith(eventStream) === true
  if (isStream || (status >= 300 && status < 400)) return response
  return { ...response, headers: [...headers, [refusalHeader, String(status)]] }
}
