import { parseTarget } from '../routing/canonical.ts'
import type { Matcher, RouteMatch } from '../routing/match.ts'
import type { Answer, Handle, HeaderLines, ServerRequest } from '../shared/answer.ts'
import {
  heldSegmentsHeader,
  navigationFromHeader,
  payloadUrl,
  prefetchHeader,
} from '../shared/protocol.ts'
import { withAfterTasks } from './after.ts'
import { answerPage } from './page.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import { passProxy } from './passProxy.ts'
import type { IsListed } from './prerender/closedRoutes.ts'
import type { RunProxy } from './proxy.ts'
import { type ReadPage, readRequest, readsPatiently } from './read.ts'
import { answerRouteHandler } from './routeHandler.ts'
import { createScope, type RequestScope, responseHeaders, runInScope } from './scope.ts'
import { answerStatus, answerThrown } from './screenAnswer.ts'

/** What the handler is made of. */
export type HandlerParts = PageApp & {
  readonly matcher: Matcher
  readonly isListed: IsListed
  /** The app's proxy.ts, if it has one. */
  readonly proxy: RunProxy | null
}

/** How the handler runs: for a client, or for the build. */
export type HandlerMode = {
  readonly phase: 'render' | 'prerender'
  /** Called when an answer turns out to depend on its request. */
  readonly onDynamic?: (reason: string) => void
}

const forClients: HandlerMode = { phase: 'render' }
const nothingHeld: ReadonlySet<string> = new Set()

/** Makes the handler: read, match, answer. */
export function createHandler(app: HandlerParts, mode: HandlerMode = forClients): Handle {
  return async function handle(request: ServerRequest): Promise<Answer> {
    const read = readRequest(request)
    switch (read.kind) {
      case 'redirect':
        return { status: 308, headers: [['location', read.location]], body: null }
      case 'bad':
        return answerStatus(read.status, { request, theme: app.theme.config })
      case 'document':
      case 'data':
        return answerInScope(read, request, app, mode)
    }
  }
}

async function answerInScope(
  read: ReadPage,
  request: ServerRequest,
  app: HandlerParts,
  mode: HandlerMode,
): Promise<Answer> {
  const { pathname, search } = read
  const scope = createScope({
    request,
    ...mode,
    url: { pathname, search },
    theme: app.theme.config,
    onAfterError: (thrown) => app.report(thrown, { request, pathname }),
  })
  return runInScope(scope, async () => {
    const added: HeaderLines = []
    let given: Answer
    try {
      given = await answer(read, request, app, scope, added)
    } catch (thrown) {
      given = answerThrown(thrown, {
        ...read,
        request,
        theme: app.theme.config,
        report: app.report,
      })
    }
    added.push(...responseHeaders(scope))
    const whole = added.length > 0 ? { ...given, headers: [...given.headers, ...added] } : given
    return withAfterTasks(whole, scope)
  })
}

/**
 * Answers a request that was read.
 * @param added takes the headers that proxy.ts adds to whatever is answered
 */
async function answer(
  shown: ReadPage,
  received: ServerRequest,
  app: HandlerParts,
  scope: RequestScope,
  added: HeaderLines,
): Promise<Answer> {
  if (app.proxy === null || scope.phase === 'prerender') {
    return answerRead(shown, shown, received, app, scope)
  }
  const proxied = await passProxy(shown, received, scope, app.proxy)
  if (proxied.kind === 'answered') return proxied.answer
  added.push(...proxied.headers)
  const { read } = proxied
  return (
    prerenderedAnswer(read, shown, received) ?? answerRead(read, shown, proxied.request, app, scope)
  )
}

/** Names the prerendered file that answers; a rewritten page's would say its own URL, not this. */
function prerenderedAnswer(
  read: ReadPage,
  shown: ReadPage,
  received: ServerRequest,
): Answer | null {
  const prerendered = read.kind === 'data' ? payloadUrl(read.pathname, '') : read.pathname
  const isHeld = read.pathname === shown.pathname && received.hasPrerendered?.(prerendered)
  return isHeld ? { status: 200, headers: [], body: null, prerendered } : null
}

/**
 * Answers from the route of a URL.
 * @param read the URL whose route answers
 * @param shown the URL in the browser, which differs after a rewrite
 */
function answerRead(
  read: ReadPage,
  shown: ReadPage,
  request: ServerRequest,
  app: HandlerParts,
  scope: RequestScope,
): Answer | Promise<Answer> {
  const from = read.kind === 'data' ? shownPathname(request) : undefined
  const match = app.matcher.match(read.pathname, { from })
  const isListed = match === null || app.isListed(match.pattern, read.pathname)
  const answerListed = (is: boolean) =>
    answerMatch(is ? match : null, read, shown, request, app, scope)
  return isListed instanceof Promise ? isListed.then(answerListed) : answerListed(isListed)
}

function answerMatch(
  match: RouteMatch | null,
  read: ReadPage,
  shown: ReadPage,
  request: ServerRequest,
  app: HandlerParts,
  scope: RequestScope,
): Answer | Promise<Answer> {
  if (match?.leaf === 'route') return answerRoute(match, read, request, app, scope)
  const method = methodAnswer(request, app)
  if (method) return method
  if (scope.phase === 'render' && request.headers.has(prefetchHeader)) return notAhead
  const held = read.kind === 'data' ? heldSegments(request) : nothingHeld
  const isPatient = readsPatiently(request)
  const page = { ...read, shown, request, scope, held, isPatient, origin: originOf(request, scope) }
  if (match) return answerPage({ ...page, match, status: 200 }, app)
  return read.pathname === '/favicon.ico' ? noIcon : answerPage(notFoundPage(page, app), app)
}

// Browsers ask for it unasked, and complain about a 404 in the console of an app without one.
const noIcon: Answer = { status: 204, headers: [['cache-control', 'max-age=3600']], body: null }

async function answerRoute(
  match: RouteMatch,
  read: ReadPage,
  request: ServerRequest,
  app: HandlerParts,
  scope: RequestScope,
): Promise<Answer> {
  // A route handler has no page data: the browser has to ask it itself.
  if (read.kind === 'data') return answerStatus(404, { request, theme: app.theme.config })
  if (scope.phase === 'render') scope.phase = 'route-handler'
  const { module } = await app.modules.load(match.file)
  return answerRouteHandler({ module, match, scope, request })
}

function notFoundPage(page: Omit<PageRequest, 'match' | 'status'>, app: HandlerParts): PageRequest {
  const root = app.matcher.matchNotFound(page.pathname)
  return { ...page, match: { pattern: '', params: {}, root }, status: 404 }
}

// A page that is rendered for each request costs as much ahead as it does at the click.
const notAhead: Answer = { status: 204, headers: [['cache-control', 'no-store']], body: null }

const pageMethods = 'GET, HEAD, OPTIONS'

/** Answers methods that no page has. */
function methodAnswer(request: ServerRequest, app: HandlerParts): Answer | null {
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return null
    case 'OPTIONS':
      return { status: 204, headers: [['allow', pageMethods]], body: null }
    default:
      return answerStatus(405, {
        request,
        theme: app.theme.config,
        headers: [['allow', pageMethods]],
      })
  }
}

// A claim of the client, and read like any URL.
function shownPathname(request: ServerRequest): string | undefined {
  const from = request.headers.get(navigationFromHeader)
  const target = from === null ? null : parseTarget(from)
  return target?.kind === 'ok' ? target.pathname : undefined
}

function heldSegments(request: ServerRequest): ReadonlySet<string> {
  const held = request.headers.get(heldSegmentsHeader)
  return held ? new Set(held.split(',')) : nothingHeld
}

// While prerendering, there is no origin that would be right for every host.
function originOf(request: ServerRequest, scope: RequestScope): string | null {
  return scope.phase === 'prerender' ? null : request.origin
}
