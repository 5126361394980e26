import { parseTarget } from '../routing/canonicalUrl.ts'
import type { Matcher, RouteMatch } from '../routing/match.ts'
import { prefersJson } from '../shared/accept.ts'
import { builtNotFound, cacheStatusHeader } from '../shared/cachedPage.ts'
import {
  actionHeader,
  mountedSegmentsHeader,
  navigationFromHeader,
  prefetchHeader,
} from '../shared/protocol.ts'
import type { HandlerResponse, ServerRequest } from '../shared/response.ts'
import type { ActionApp } from './action/actionList.ts'
import { type ActionRequest, handleAction, readActionRequest } from './action/handleAction.ts'
import type { DoctorResponder } from './doctorResponse.ts'
import { statusResponse } from './errors/screenResponse.ts'
import { answerPage } from './page/answerPage.ts'
import type { PageRequest } from './page/pageRequest.ts'
import { noPageData, noPrefetchData } from './page/pageResponse.ts'
import { prefetchShellResponse } from './page/prefetchShell.ts'
import { type CacheableUrl, cacheableUrl } from './pageCache/lookup.ts'
import type { PageCache } from './pageCache/pageCache.ts'
import { answerPartial } from './partial/answerPartial.ts'
import type { IsListed } from './prerender/plan.ts'
import type { RunProxy } from './proxy/proxy.ts'
import type { Drafts } from './request/draftMode.ts'
import { type PageTarget, wantsFinalStatus } from './request/readRequest.ts'
import { runRouteHandler } from './request/routeHandler.ts'
import type { RequestScope } from './request/scope.ts'

/** What the handler is made of. */
export type HandlerApp = ActionApp & {
  readonly matcher: Matcher
  readonly isListed: IsListed
  /** What is rendered once for all; `null` where nothing is. */
  readonly kept: PageCache | null
  /** Whether the build has rendered the document for URLs without a route. */
  readonly hasBuiltNotFound: () => boolean
  /** Whether a navigation inside the app may show another page at a pathname. */
  readonly isIntercepted: (pathname: string) => boolean
  readonly drafts: Drafts
  /** The app's proxy.ts, if it has one. */
  readonly proxy: RunProxy | null
  /** Answers browsers that tell of their errors. */
  readonly answerErrorBeacon: (request: ServerRequest) => Promise<HandlerResponse>
  /** Answers `waymark doctor`. */
  readonly answerDoctor: DoctorResponder
}

/** A request that is being answered. */
export type Dispatch = {
  readonly app: HandlerApp
  readonly scope: RequestScope
  /** The URL whose route answers. */
  readonly read: PageTarget
  /** The URL in the browser, which differs after a rewrite. */
  readonly shown: PageTarget
  readonly request: ServerRequest
  /** Asks proxy.ts, where the app has one, about the same request to another pathname. */
  readonly letsPass?: (pathname: string) => Promise<boolean>
}

const nothingHeld: ReadonlySet<string> = new Set()

/** Answers from the route that a URL matches: the one place where a route is looked for. */
export function dispatch(answering: Dispatch): HandlerResponse | Promise<HandlerResponse> {
  const { app, read, request } = answering
  const from =
    read.kind === 'data' || request.headers.has(actionHeader)
      ? pathnameNavigatedFrom(request)
      : undefined
  const matchEnds = answering.scope.context.timings?.start('match')
  const match = app.matcher.match(read.pathname, { from })
  matchEnds?.()
  const isListed = match === null || app.isListed(match.pattern, read.pathname)
  const answerListed = (is: boolean) => answerMatch(is ? match : null, answering)
  return isListed instanceof Promise ? isListed.then(answerListed) : answerListed(isListed)
}

function answerMatch(
  match: RouteMatch | null,
  answering: Dispatch,
): HandlerResponse | Promise<HandlerResponse> {
  const { kept } = answering.app
  answering.scope.match = match
  const url = match && kept && cacheableUrl(match, answering, kept)
  if (!url || !kept) return answerForRequest(match, answering)
  if (kept.isPartial(url.pattern)) return answerKeptPart(url, match, { answering, kept })
  return kept.answer(url).then((answer) => answer ?? answerForRequest(match, answering))
}

/** Answers a page of which a part is kept. */
async function answerKeptPart(
  url: CacheableUrl,
  match: RouteMatch,
  { answering, kept }: { answering: Dispatch; kept: PageCache },
): Promise<HandlerResponse> {
  const { app, request } = answering
  // Who reads the first answer only is to get the true status, and a shell has none.
  const found = wantsFinalStatus(request) ? null : await kept.partial(url)
  if (found === null) return answerForRequest(match, answering)
  if (found.kind === 'answer') return found.answer
  const { shell, state, discard } = found
  const page = pageOf(match, 200, answering)
  const answer = answerPartial({ page, shell, onOutdated: discard }, app)
  return { ...answer, headers: [...answer.headers, [cacheStatusHeader, state]] }
}

/** Answers what is not the same for everybody, or not kept yet. */
function answerForRequest(
  match: RouteMatch | null,
  answering: Dispatch,
): HandlerResponse | Promise<HandlerResponse> {
  const { app, scope, request, read } = answering
  if (match?.leaf === 'route') return answerHandler(match, answering)
  const posted = readActionRequest(request, read)
  // In an app without actions, a page has no such method; a call has its own answer.
  if (posted && (posted.kind === 'call' || !app.actions.isEmpty))
    return handleAction(posted, postedPage(posted, match, answering), app, () =>
      isBackgroundOpen(answering),
    )
  const method = methodAnswer(answering)
  if (method) return method
  if (scope.phase === 'render' && request.headers.has(prefetchHeader)) {
    return answerAhead(match, answering)
  }
  if (match === null && read.pathname === '/favicon.ico') return noIcon
  if (match === null && getsBuiltNotFound(answering)) {
    return { status: 404, headers: [], body: null, prerendered: builtNotFound }
  }
  return answerPage(pageAt(match, answering), app)
}

/** Tells whether a URL without a route gets the document that the build has rendered for all. */
function getsBuiltNotFound({ app, scope, read, request }: Dispatch): boolean {
  if (!app.hasBuiltNotFound() || app.proxy !== null || scope.phase !== 'render') return false
  return read.kind === 'document' && !prefersJson(request.headers.get('accept'))
}

/** Answers ahead of the click: with what a browser can show while the page itself is rendered. */
async function answerAhead(
  match: RouteMatch | null,
  answering: Dispatch,
): Promise<HandlerResponse> {
  const { app, read, request } = answering
  // Where another page may be shown at the same URL, it depends on where the click will be.
  if (!match || read.kind !== 'data' || app.isIntercepted(read.pathname))
    return noPrefetchData(app.buildId)
  const from = pathnameNavigatedFrom(request)
  const shown = from === undefined ? null : app.matcher.match(from)
  const shell = await prefetchShellResponse(pageOf(match, 200, answering), shown?.root ?? null, app)
  return shell ?? noPrefetchData(app.buildId)
}

/** Tells whether the route that the client navigates from is one that proxy.ts lets it pass to. */
function isBackgroundOpen({ letsPass, request }: Dispatch): boolean | Promise<boolean> {
  const from = pathnameNavigatedFrom(request)
  return from !== undefined && (letsPass ? letsPass(from) : true)
}

/** The page of a match; of none, what stands where no route is. */
function pageAt(match: RouteMatch | null, answering: Dispatch): PageRequest {
  if (match) return pageOf(match, 200, answering)
  const root = answering.app.matcher.matchNotFound(answering.read.pathname)
  return pageOf({ pattern: '', params: {}, root }, 404, answering)
}

/** The page that an action was posted to, as it is rendered after it. */
function postedPage(
  posted: ActionRequest,
  match: RouteMatch | null,
  answering: Dispatch,
): PageRequest {
  const page = pageAt(match, answering)
  if (posted.kind === 'form') return page
  const { request } = answering
  return { ...page, kind: 'data', held: heldSegments(request), isPatient: false }
}

function pageOf(
  match: PageRequest['match'],
  status: PageRequest['status'],
  { read, shown, request, scope }: Dispatch,
): PageRequest {
  return {
    kind: read.kind,
    pathname: read.pathname,
    search: read.search,
    match,
    status,
    shown,
    request,
    scope,
    held: read.kind === 'data' ? heldSegments(request) : nothingHeld,
    isPatient: wantsFinalStatus(request),
    // While prerendering, there is no origin that would be right for every host.
    origin: scope.phase === 'prerender' ? null : request.origin,
  }
}

async function answerHandler(
  match: RouteMatch,
  { app, scope, read, request }: Dispatch,
): Promise<HandlerResponse> {
  // The browser has to ask it itself.
  if (read.kind === 'data') return noPageData(app.buildId)
  if (scope.phase === 'render') scope.phase = 'route-handler'
  const { module } = await app.modules.load(match.file)
  return runRouteHandler({ module, match, scope, request })
}

const pageMethods = 'GET, HEAD, OPTIONS'

/** Answers methods that no page has. */
function methodAnswer({ app, request }: Dispatch): HandlerResponse | null {
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return null
    case 'OPTIONS':
      return { status: 204, headers: [['allow', pageMethods]], body: null }
    default: {
      const { theme, screens } = app
      const headers: HandlerResponse['headers'] = [['allow', pageMethods]]
      return statusResponse(405, { request, theme: theme.config, screens, headers })
    }
  }
}

// Browsers ask for it unasked, and complain about a 404 in the console of an app without one.
const noIcon: HandlerResponse = {
  status: 204,
  headers: [['cache-control', 'max-age=3600']],
  body: null,
}

// A claim of the client, and read like any URL.
function pathnameNavigatedFrom(request: ServerRequest): string | undefined {
  const from = request.headers.get(navigationFromHeader)
  const target = from === null ? null : parseTarget(from)
  return target?.kind === 'ok' ? target.pathname : undefined
}

function heldSegments(request: ServerRequest): ReadonlySet<string> {
  const held = request.headers.get(mountedSegmentsHeader)
  return held ? new Set(held.split(',')) : nothingHeld
}
