import { cacheStatusHeader } from '../builds/cachedPage.ts'
import { prefersJson } from '../http/accept.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { HandlerResponse, HeaderLines, Responding, ServerRequest } from '../http/response.ts'
import type { Matcher, RouteMatch } from '../routing/match.ts'
import {
  mountedSegmentsHeader,
  prefetchHeader,
  probeType,
  userHeader,
  wholePrefetch,
} from '../wire/protocol.ts'
import type { ActionApp } from './action/authorize.ts'
import type { IsCredential } from './action/credentials.ts'
import { type ActionRequest, handleAction, readActionRequest } from './action/handleAction.ts'
import { statusResponse } from './errors/screenResponse.ts'
import type { DocumentLimit } from './page/documentLimit.ts'
import { failureInBrowser } from './page/fallbacks.ts'
import type { PageRequest } from './page/pageRequest.ts'
import {
  builtNotFoundResponse,
  noPageData,
  noPrefetchData,
  otherUserResponse,
  probeResponse,
} from './page/pageResponse.ts'
import { respondToPrefetch } from './page/prefetchShell.ts'
import { respondWithPage } from './page/respondWithPage.ts'
import { type CacheableRequest, type CacheableUrl, cacheableUrl } from './pageCache/lookup.ts'
import type { PageCache } from './pageCache/pageCache.ts'
import { respondWithPartial } from './partial/respondWithPartial.ts'
import type { IsListed } from './prerender/plan.ts'
import type { AppProxy } from './proxy/proxy.ts'
import {
  pathnameNavigatedFrom,
  type ShownElsewhere,
  withSlotsBeside,
} from './proxy/shownElsewhere.ts'
import { crossOriginReason } from './request/crossOrigin.ts'
import type { Drafts } from './request/draftMode.ts'
import { isRead, wantsFinalStatus } from './request/readRequest.ts'
import { runRouteHandler } from './request/routeHandler.ts'
import type { AppAround } from './serverOptions.ts'

export type HandlerApp = ActionApp & {
  readonly matcher: Matcher
  readonly isListed: IsListed
  readonly pageCache: PageCache | null
  /** Whether the build has rendered the document for URLs without a route. */
  readonly hasBuiltNotFound: () => boolean
  /** Whether a pathname is that of a file, which the server sends in place of a response. */
  readonly hasFile: (pathname: string) => boolean
  /** Whether a navigation inside the app may show another page at a pathname. */
  readonly isIntercepted: (pathname: string) => boolean
  readonly drafts: Drafts
  readonly proxy: AppProxy | null
  readonly documentLimit: DocumentLimit | null
  readonly around: AppAround | null
  /** True for the name of a cookie that tells who sends a request. */
  readonly isCredential: IsCredential
  /** Of the framework and its packages. */
  readonly endpoints: readonly Endpoint[]
}

export type Dispatch = Omit<CacheableRequest, 'elsewhere'> & {
  readonly app: HandlerApp
  readonly matched?: RouteMatch | null | undefined
  /** What the client has on the screen besides, as far as proxy.ts lets it pass there. */
  readonly elsewhere: ShownElsewhere
}

const noSegments: ReadonlySet<string> = new Set()

/** @throws what the route threw; also rejects with it */
export function dispatch(dispatched: Dispatch): Responding {
  const { app, scope, read, matched, elsewhere } = dispatched
  const endTiming = scope.context.timings?.start('match')
  const from = elsewhere.from ?? undefined
  const found = matched === undefined ? app.matcher.match(read.pathname, { from }) : matched
  endTiming?.()
  const isListed =
    // What is a draft can't be listed yet.
    found !== null && (scope.context.isDraft || app.isListed(found.pattern, read.pathname))
  return typeof isListed === 'boolean'
    ? respondToMatch(isListed ? found : null, dispatched)
    : isListed.then((isListed) => respondToMatch(isListed ? found : null, dispatched))
}

function respondToMatch(match: RouteMatch | null, dispatched: Dispatch): Responding {
  const { app, scope, request } = dispatched
  scope.match = match
  scope.context.timings?.matched(match?.pattern ?? null)
  const isProbe = request.method === 'GET' && request.headers.get('accept') === probeType
  if (isProbe) return probeResponse(app.buildId)
  const { pageCache } = app
  const failed = match?.leaf === 'page' ? failureInBrowser(match.root, dispatched) : null
  if (match && failed) {
    return forPageUser(dispatched, () =>
      respondWithPage(pageOf(match, 200, dispatched), app, failed),
    )
  }
  const url = match && pageCache && cacheableUrl(match, dispatched, pageCache)
  if (!url || !pageCache) return respondForRequest(match, dispatched)
  if (pageCache.isPartial(url.pattern)) {
    return forPageUser(dispatched, () => respondWithShell(url, match, { dispatched, pageCache }))
  }
  return (
    pageCache.findFresh(url) ??
    pageCache
      .respond(url)
      .then((cached) =>
        cached && !isForPeople(cached, dispatched) ? cached : respondForRequest(match, dispatched),
      )
  )
}

/** Tells whether a screen was rendered as HTML for a request that prefers JSON. */
function isForPeople({ status }: HandlerResponse, { request }: Dispatch): boolean {
  return status >= 400 && prefersJson(request.headers.get('accept'))
}

/** Responds with a page that is static in part, where its shell is cached. */
async function respondWithShell(
  url: CacheableUrl,
  match: RouteMatch,
  { dispatched, pageCache }: { dispatched: Dispatch; pageCache: PageCache },
): Promise<HandlerResponse> {
  const { app, request, scope } = dispatched
  // Crawlers need the real status; a cached shell is sent before it is known.
  const waits = wantsFinalStatus(request) || dispatched.shown.isWhole
  const found = waits ? null : await pageCache.partial(url)
  if (found === null) return respondForRequest(match, dispatched)
  if (found.kind === 'response') return found.response
  const { shell, state, discard } = found
  // Its client has to know that what it sees was changed.
  if (state === 'stale' && scope.context.life) scope.context.life.isStale = true
  const partial = { page: pageOf(match, 200, dispatched), shell, onOutdated: discard }
  const response = await withinLimit(dispatched, () => respondWithPartial(partial, app))
  return { ...response, headers: [...response.headers, [cacheStatusHeader, state]] }
}

/** Renders a page for a client: a document only where the app's `maxDocuments` leaves room. */
function withinLimit(
  { app, read, scope, request }: Dispatch,
  render: () => Responding,
): Responding {
  const { documentLimit, theme, screens } = app
  if (!documentLimit || read.kind !== 'document' || scope.phase !== 'render') return render()
  const headers: HandlerResponse['headers'] = [['retry-after', '1']]
  const refuse = () => statusResponse(503, { request, theme: theme.config, screens, headers })
  return documentLimit.render(render, refuse)
}

function respondForRequest(match: RouteMatch | null, dispatched: Dispatch): Responding {
  const { app, request, read } = dispatched
  if (match?.leaf === 'route') return respondWithHandler(match, dispatched)
  const posted = readActionRequest(request, read)
  // In an app without actions, pages have no POST; a call gets its own response.
  if (posted && (posted.kind === 'call' || !app.actions.isEmpty)) {
    const page = postedPage(posted, match, dispatched)
    const refuseUnmatched = match === null ? () => methodResponse(dispatched) : null
    return handleAction(posted, page, app, refuseUnmatched)
  }
  const method = methodResponse(dispatched)
  if (method) return method
  return forPageUser(dispatched, () => respondForPage(match, dispatched))
}

/**
 * Refuses page data to the page of another user: an open page, with the layouts and the text of its
 * user, never gets data of the user who has signed in since. Static pages are not checked.
 */
function forPageUser(dispatched: Dispatch, respond: () => Responding): Responding {
  const { app, read, request, scope } = dispatched
  const sealed = read.kind === 'data' ? request.headers.get(userHeader) : null
  if (!app.users || sealed === null || scope.phase !== 'render') return respond()
  return app.users
    .refusalOf(sealed, false)
    .then((code) => (code === null ? respond() : otherUserResponse(app.buildId, code)))
}

function respondForPage(match: RouteMatch | null, dispatched: Dispatch): Responding {
  const { app, scope, request, read } = dispatched
  if (scope.phase === 'render' && request.headers.has(prefetchHeader)) {
    return prefetchResponse(match, dispatched)
  }
  if (match === null && read.pathname === '/favicon.ico') return noIcon
  const notFound = match === null && scope.phase === 'render' && builtNotFoundResponse(dispatched)
  return notFound || withinLimit(dispatched, () => respondWithPage(pageAt(match, dispatched), app))
}

/** Responds to a prefetch, with what a browser can show while the page itself is rendered. */
function prefetchResponse(match: RouteMatch | null, dispatched: Dispatch): Responding {
  const { app, read, request } = dispatched
  // Which page is shown at an intercepted URL depends on where the click will be.
  if (!match || read.kind !== 'data' || app.isIntercepted(read.pathname))
    return noPrefetchData(app.buildId)
  const from = pathnameNavigatedFrom(request)
  const shown = from === undefined ? null : app.matcher.match(from)
  const page = pageOf(match, 200, dispatched)
  const isLikely = request.headers.get(prefetchHeader) === wholePrefetch
  return respondToPrefetch(page, { shown: shown?.root ?? null, isLikely }, app)
}

/** The page of a match; without one, the root's not-found page. */
function pageAt(match: RouteMatch | null, dispatched: Dispatch): PageRequest {
  if (match) return pageOf(match, 200, dispatched)
  const root = dispatched.app.matcher.matchNotFound(dispatched.read.pathname)
  return pageOf({ pattern: '', params: {}, root }, 404, dispatched)
}

function postedPage(
  posted: ActionRequest,
  match: RouteMatch | null,
  dispatched: Dispatch,
): PageRequest {
  const page = pageAt(match, dispatched)
  // It was sent without scripts, which show no part that comes later, or before they had loaded.
  if (posted.kind === 'form') return { ...page, wantsFinalStatus: true }
  const { request, app } = dispatched
  const root = withSlotsBeside(page.match.root, dispatched.elsewhere, app.matcher)
  return {
    ...page,
    match: { ...page.match, root },
    kind: 'data',
    mounted: mountedSegments(request),
    wantsFinalStatus: false,
  }
}

function pageOf(
  match: PageRequest['match'],
  status: PageRequest['status'],
  { read, shown, request, scope }: Dispatch,
): PageRequest {
  scope.root = match.root
  return {
    kind: read.kind,
    pathname: read.pathname,
    search: read.search,
    match,
    status,
    shown,
    request,
    scope,
    mounted: read.kind === 'data' ? mountedSegments(request) : noSegments,
    wantsFinalStatus: shown.isWhole === true || wantsFinalStatus(request),
    // While prerendering, there is no origin that would be right for every host.
    origin: scope.phase === 'prerender' ? null : request.origin,
  }
}

async function respondWithHandler(
  match: RouteMatch,
  { app, scope, read, request }: Dispatch,
): Promise<HandlerResponse> {
  // The browser has to request it itself.
  if (read.kind === 'data') return noPageData(app.buildId)
  if (scope.phase === 'render') scope.phase = 'route-handler'
  scope.root = match.root
  // No preflight comes before a WebSocket, and a page of any site may read from it.
  const sent = { headers: scope.context.sentHeaders, origin: request.origin }
  const isSocket = sent.headers.get('upgrade')?.toLowerCase() === 'websocket'
  const foreign = isSocket ? crossOriginReason(sent, app.actionSettings.allowedOrigins) : null
  if (foreign !== null) {
    app.logForeign(foreign, { kind: 'WebSocket', pathname: read.pathname })
    return { status: 403, headers: [], body: null }
  }
  const { module } = await app.modules.load(match.file)
  const { theme, screens } = app
  const screen = (status: number, headers: HeaderLines) =>
    statusResponse(status, { request, theme: theme.config, screens, headers })
  return runRouteHandler({ module, match, scope, request, screen })
}

const pageMethods = 'GET, HEAD, OPTIONS'

/** Responds to methods that no page has. */
function methodResponse({ app, request }: Dispatch): HandlerResponse | null {
  if (isRead(request)) return null
  const headers: HandlerResponse['headers'] = [['allow', pageMethods]]
  if (request.method === 'OPTIONS') return { status: 204, headers, body: null }
  const { theme, screens } = app
  return statusResponse(405, { request, theme: theme.config, screens, headers })
}

// Browsers request it by themselves, and log a 404 in the console of an app without one.
const noIcon: HandlerResponse = {
  status: 204,
  headers: [['cache-control', 'max-age=3600']],
  body: null,
}

function mountedSegments(request: ServerRequest): ReadonlySet<string> {
  const mounted = request.headers.get(mountedSegmentsHeader)
  return mounted ? new Set(mounted.split(',')) : noSegments
}
