import { privateNoStore } from '../builds/cacheControl.ts'
import { createDependencyTracker, type DependencyTracker } from '../cache/cacheLife.ts'
import type { Endpoint } from '../http/endpoint.ts'
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
import { withoutBasePath } from '../shared/basePath.ts'
import {
  changedHeader,
  freshHeader,
  internalPrefix,
  nonceHeader,
  refusalHeader,
} from '../wire/protocol.ts'
import { mayHaveUserCookie } from '../wire/userCookie.ts'
import { toCallResponse } from './action/responses.ts'
import { updateUserCookie } from './action/updateUserCookie.ts'
import { type Dispatch, dispatch, type HandlerApp } from './dispatch.ts'
import { statusResponse, thrownResponse } from './errors/screenResponse.ts'
import { builtNotFoundResponse } from './page/pageResponse.ts'
import { type AppProxy, passProxy } from './proxy/proxy.ts'
import {
  admitElsewhere,
  isCall,
  nothingElsewhere,
  readShownElsewhere,
} from './proxy/shownElsewhere.ts'
import { withAfterTasks } from './request/after.ts'
import { isRead, type PageTarget, readRequest } from './request/readRequest.ts'
import { dependsOnRequest, runsForPage, runsForRequests } from './request/requestDependence.ts'
import { createScope, type RequestScope, responseHeaders, runInScope } from './request/scope.ts'
import { withCachePolicy } from './security/cachePolicy.ts'
import { parseNonce, securedResponse } from './security/csp.ts'
import { respondAround } from './serverOptions.ts'

export type HandlerMode = {
  readonly phase: 'render' | 'prerender'
  /** Called when a response turns out to depend on its request. */
  readonly onDynamic?: (reason: string, stack?: string) => void
  readonly life?: DependencyTracker
}

const forClients: HandlerMode = { phase: 'render' }

export function createHandler(app: HandlerApp, mode: HandlerMode = forClients): Handle {
  const { security, theme, screens } = app

  return function handle(request) {
    const target = withoutBasePath(request.target)
    const endpoint = findEndpoint(app.endpoints, target)
    if (endpoint) return respondByEndpoint(request, endpoint, target ?? endpoint.path)
    const responding = respondFromApp(request)
    return request.headers.get('accept') === eventStream ? withRefusal(responding) : responding
  }

  async function respondByEndpoint(
    request: ServerRequest,
    endpoint: Endpoint,
    target: string,
  ): Promise<HandlerResponse> {
    const { report, buildId, cache, readCached, drafts, users } = app
    const at = { request, phase: 'route-handler', kind: 'document' } as const
    const scope = createScope({
      request,
      phase: 'route-handler',
      url: { pathname: endpoint.path, search: target.slice(endpoint.path.length) },
      theme: theme.config,
      cache,
      readCached,
      drafts,
      users,
      onAfterError: (thrown) => report(thrown, at),
    })
    return runInScope(scope, async () => {
      let response: HandlerResponse | null
      try {
        response = await endpoint.handle(request)
      } catch (thrown) {
        response = thrownResponse(thrown, { ...at, theme: theme.config, screens, report, buildId })
      }
      if (response === null) return respondFromApp(request)
      const cached = withCachePolicy(response, responseHeaders(scope), {
        method: request.method,
        kind: 'document',
        isDraft: scope.context.isDraft,
        isPerRequest: dependsOnRequest(scope),
        isWrittenByApp: true,
      })
      return withAfterTasks(securedResponse(cached, security, null), scope)
    })
  }

  function respondFromApp(request: ServerRequest): Responding {
    const read = readRequest(request)
    switch (read.kind) {
      case 'redirect': {
        const headers: HeaderLines = [['location', read.location]]
        // It is made of the URL alone. Behind code that decides about requests, no cache needs it.
        if (runsForRequests(app)) headers.push(...privateNoStore)
        return securedResponse({ status: 308, headers, body: null }, security, null)
      }
      case 'outside':
      case 'bad': {
        const given = read.kind === 'outside' ? app.proxy?.respondOutside(request) : null
        if (given) return securedResponse(outsideResponse(given, request), security, null)
        const status = read.kind === 'bad' ? read.status : 404
        const response = statusResponse(status, { request, theme: theme.config, screens })
        return securedResponse(response, security, security.createNonce)
      }
      case 'document':
      case 'data': {
        const isLater =
          isSeenBeforeMatch(read, app, mode) ||
          readShownElsewhere({ app, read, shown: read, request }) !== nothingElsewhere
        const matched = isLater ? undefined : app.matcher.match(read.pathname)
        const notFound = matched === null ? builtNotFoundResponse({ app, read, request }) : null
        return notFound ?? respondInScope({ app, read, request, matched }, mode)
      }
    }
  }
}

function findEndpoint(endpoints: readonly Endpoint[], target: string | null): Endpoint | undefined {
  if (!target?.startsWith(internalPrefix)) return undefined
  const [pathname] = target.split('?', 1)
  return endpoints.find(({ path }) => path === pathname)
}

const eventStream = 'text/event-stream'

/** Marks what is no stream: its client takes a refusal for lasting only if it comes from the site. */
async function withRefusal(responding: Responding): Promise<HandlerResponse> {
  const response = await responding
  const { status, headers } = response
  const isStream = headerOf(headers, 'content-type')?.startsWith(eventStream) === true
  if (isStream || (status >= 300 && status < 400)) return response
  return { ...response, headers: [...headers, [refusalHeader, String(status)]] }
}

/** Whether anything of the app runs for a URL before its route is matched. */
function isSeenBeforeMatch(read: PageTarget, app: HandlerApp, { phase }: HandlerMode): boolean {
  return phase !== 'render' || runsForPage(app, read.pathname)
}

function respondInScope(
  received: Pick<Dispatch, 'app' | 'read' | 'request' | 'matched'>,
  mode: HandlerMode,
): Promise<HandlerResponse> {
  const { app, read, request, matched } = received
  const { pathname, search } = read
  const theme = app.theme.config
  const scope: RequestScope = createScope({
    request,
    ...mode,
    life: mode.life ?? (app.live && createDependencyTracker(!request.headers.has(freshHeader))),
    url: { pathname, search },
    theme,
    cache: app.cache,
    readCached: app.readCached,
    drafts: app.drafts,
    users: app.users,
    createNonce: noncesFor(read, request, app, mode),
    onAfterError: (thrown) => app.report(thrown, occurrence(read, scope)),
  })
  return runInScope(scope, async () => {
    const added: HeaderLines = []
    const { around, report, screens, buildId, settleDeadlineMs: deadlineMs } = app
    const fail = (thrown: unknown) =>
      thrownResponse(thrown, { ...occurrence(read, scope), theme, screens, report, buildId })
    const elsewhere = nothingElsewhere
    const handle = (request: ServerRequest) =>
      respond({ app, scope, read, shown: read, request, matched, elsewhere }, added)
    const handleSafely: Handle = (request) => neverRejects(() => handle(request), fail)
    const wrapped = { read, request, scope, buildId, deadlineMs, respond: handleSafely }
    let given: HandlerResponse
    try {
      const responding = around ? respondAround({ around, ...wrapped }) : handle(request)
      given = 'then' in responding ? await responding : responding
    } catch (thrown) {
      given = fail(thrown)
    }
    const toCall = isCall(request) ? toCallResponse(given, app) : given
    given = 'then' in toCall ? await toCall : toCall
    added.push(...responseHeaders(scope))
    const isWrittenByApp = scope.phase === 'route-handler' || scope.phase === 'proxy'
    // Read before `user` of server.ts, which reads cookies of the request, too.
    const isPerRequest = dependsOnRequest(scope)
    const cookieHeader = scope.context.sentHeaders.get('cookie')
    if (mayHaveUserCookie(cookieHeader)) {
      const updated = await updateUserCookie(cookieHeader, {
        scope,
        request,
        headers: [...given.headers, ...added],
        isWrittenByApp,
        isCredential: app.isCredential,
        report: (thrown) => report(thrown, occurrence(read, scope)),
      })
      added.push(...updated)
    }
    // Whoever set them: a repeated call gets its cookies again, and proxy.ts may set some.
    if (isCall(request) && setsCookie([...given.headers, ...added])) {
      added.push([changedHeader, 'session'])
    }
    const { timings } = scope.context
    if (import.meta.env?.DEV && timings) added.push(['server-timing', timings.header()])
    const whole = withCachePolicy(given, added, {
      method: request.method,
      kind: read.kind,
      isDraft: scope.context.isDraft,
      isPerRequest,
      isWrittenByApp,
    })
    // The policy of a static document is made of hashes.
    const nonce = mode.phase === 'prerender' ? null : scope.context.nonce
    return withAfterTasks(securedResponse(whole, app.security, nonce), scope)
  })
}

/** Runs what may throw or reject, with a response in place of what it threw. */
function neverRejects(
  run: () => Responding,
  fail: (thrown: unknown) => HandlerResponse,
): Responding {
  try {
    const response = run()
    return 'then' in response ? response.catch(fail) : response
  } catch (thrown) {
    return fail(thrown)
  }
}

/** Creates the nonce of a response; page data has that of the document which requests it. */
function noncesFor(
  read: PageTarget,
  request: ServerRequest,
  { security }: HandlerApp,
  { phase }: HandlerMode,
): (() => string | undefined) | undefined {
  if (security.policy === null) return undefined
  if (read.kind === 'document' && !isCall(request)) return security.createNonce
  // Data that is the same for everybody is shown in any document.
  return phase === 'prerender' ? undefined : () => parseNonce(request.headers.get(nonceHeader))
}

/** Where an error occurred outside of any page. */
function occurrence(read: PageTarget, scope: RequestScope) {
  // As proxy.ts left it: an error that was reported on its way here keeps its digest.
  return { ...read, request: scope.request, scope, match: scope.match ?? undefined }
}

/** @param added takes the headers that proxy.ts adds to any response */
function respond(dispatched: Dispatch, added: HeaderLines): Responding {
  const { scope, shown, app, request, matched } = dispatched
  // What was matched already, its matcher leaves out, and its client shows nothing elsewhere.
  if (matched !== undefined) return dispatch(dispatched)
  const proxy = scope.phase === 'prerender' ? null : app.proxy
  return proxy?.matches(shown.pathname)
    ? respondAfterProxy(dispatched, proxy, added)
    : respondAdmitted(dispatched, proxy, request)
}

async function respondAfterProxy(
  dispatched: Dispatch,
  proxy: AppProxy,
  added: HeaderLines,
): Promise<HandlerResponse> {
  const { app, scope, shown, request: received } = dispatched
  const { buildId } = app
  const endTiming = scope.context.timings?.start('proxy')
  const proxied = await passProxy(shown, received, scope, { proxy, buildId })
  endTiming?.()
  if (proxied.kind === 'responded') return proxied.response
  added.push(...proxied.headers)
  const { read, request } = proxied
  if (isFileRequest(read, request, app)) {
    return { status: 200, headers: [], body: null, prerendered: read.pathname }
  }
  return respondAdmitted({ ...dispatched, read, request }, proxy, received)
}

/** Responds with regard to the pages that the client shows elsewhere and proxy.ts admits. */
function respondAdmitted(
  dispatched: Dispatch,
  proxy: AppProxy | null,
  received: ServerRequest,
): Responding {
  const { scope, read, shown, request } = dispatched
  const said = readShownElsewhere(dispatched)
  if (said === nothingElsewhere) return dispatch(dispatched)
  if (proxy === null) return dispatch({ ...dispatched, elsewhere: said })
  const isRewritten = read.pathname !== shown.pathname
  const admitting = admitElsewhere(said, { proxy, scope, received, request, isRewritten })
  return admitting.then((admitted) => dispatch({ ...dispatched, ...admitted }))
}

/** A redirect to what is outside of `basePath`, whose location is not put below it. */
function outsideResponse(given: Response, { method }: ServerRequest): HandlerResponse {
  const response = fromResponse(given, (location) => location)
  const context = { method, kind: 'document', isPerRequest: true, isWrittenByApp: true } as const
  return withCachePolicy(response, [], context)
}

// A file that proxy.ts does not see was sent before there was a handler.
function isFileRequest(read: PageTarget, request: ServerRequest, app: HandlerApp): boolean {
  return isRead(request) && read.kind === 'document' && app.hasFile(read.pathname)
}
