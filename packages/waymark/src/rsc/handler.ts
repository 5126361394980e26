import type { DependencyTracker } from '../cache/cacheLife.ts'
import { doctorPath } from '../shared/doctorProof.ts'
import { errorBeaconPath } from '../shared/errorReport.ts'
import { actionHeader, nonceHeader } from '../shared/protocol.ts'
import type { Handle, HandlerResponse, HeaderLines, ServerRequest } from '../shared/response.ts'
import { toCallResponse } from './action/handleCall.ts'
import { type Dispatch, dispatch, type HandlerApp } from './dispatch.ts'
import { statusResponse, thrownResponse } from './errors/screenResponse.ts'
import { asksProxy, passProxy, type RunProxy } from './proxy/proxy.ts'
import { withAfterTasks } from './request/after.ts'
import { type PageTarget, readRequest } from './request/readRequest.ts'
import { createScope, type RequestScope, responseHeaders, runInScope } from './request/scope.ts'
import { withCachePolicy } from './security/cachePolicy.ts'
import { securedResponse } from './security/csp.ts'
import { parseNonce } from './security/nonce.ts'

/** How the handler runs: for a client, or for the build. */
export type HandlerMode = {
  readonly phase: 'render' | 'prerender'
  /** Called when an answer turns out to depend on its request. */
  readonly onDynamic?: (reason: string) => void
  /** Hears of all that the page reads of the cache. */
  readonly life?: DependencyTracker
}

const forClients: HandlerMode = { phase: 'render' }

/** Makes the handler: read, match, answer. */
export function createHandler(app: HandlerApp, mode: HandlerMode = forClients): Handle {
  async function answerOwn(request: ServerRequest): Promise<HandlerResponse> {
    const told = await (request.target === errorBeaconPath
      ? app.answerErrorBeacon(request)
      : app.answerDoctor(request))
    return told ? securedResponse(told, app.security, null) : answerRead(request, app, mode)
  }

  return function handle(request: ServerRequest): Promise<HandlerResponse> {
    const { target } = request
    const isOwn = target === errorBeaconPath || target === doctorPath
    return isOwn ? answerOwn(request) : answerRead(request, app, mode)
  }
}

function answerRead(
  request: ServerRequest,
  app: HandlerApp,
  mode: HandlerMode,
): Promise<HandlerResponse> {
  const { security, theme, screens } = app
  const read = readRequest(request)
  switch (read.kind) {
    case 'redirect': {
      const headers: HeaderLines = [['location', read.location]]
      return Promise.resolve(securedResponse({ status: 308, headers, body: null }, security, null))
    }
    case 'bad': {
      const answer = statusResponse(read.status, { request, theme: theme.config, screens })
      return Promise.resolve(securedResponse(answer, security, security.createNonce))
    }
    case 'document':
    case 'data':
      return answerInScope(read, request, app, mode)
  }
}

function answerInScope(
  read: PageTarget,
  request: ServerRequest,
  app: HandlerApp,
  mode: HandlerMode,
): Promise<HandlerResponse> {
  const { pathname, search } = read
  const theme = app.theme.config
  const scope: RequestScope = createScope({
    request,
    ...mode,
    url: { pathname, search },
    theme,
    cache: app.cache,
    readCached: app.readCached,
    drafts: app.drafts,
    createNonce: noncesFor(read, request, app, mode),
    onAfterError: (thrown) => app.report(thrown, occurrence(read, scope)),
  })
  return runInScope(scope, async () => {
    const added: HeaderLines = []
    let given: HandlerResponse
    try {
      given = await answer({ app, scope, read, shown: read, request }, added)
    } catch (thrown) {
      const { report, screens, buildId } = app
      given = thrownResponse(thrown, {
        ...occurrence(read, scope),
        theme,
        screens,
        report,
        buildId,
      })
    }
    if (isCall(request)) {
      const said = toCallResponse(given)
      given = said instanceof Promise ? await said : said
    }
    added.push(...responseHeaders(scope))
    if (scope.context.timings) added.push(['server-timing', scope.context.timings.header()])
    const whole = withCachePolicy(given, added, {
      method: request.method,
      kind: read.kind,
      // In the phase of proxy.ts still: that is what answered, or threw.
      isPerRequest: scope.usage.reason !== null || scope.phase === 'proxy',
      isWrittenByApp: scope.phase === 'route-handler' || scope.phase === 'proxy',
    })
    // The policy of a document that is the same for everybody is made of what it holds.
    const nonce = mode.phase === 'prerender' ? null : scope.context.nonce
    return withAfterTasks(securedResponse(whole, app.security, nonce), scope)
  })
}

/** What makes the nonce of a request; page data has that of the document which asks for it. */
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

/** Whether the app's own script called an action: what it gets is data, whatever answers. */
function isCall({ method, headers }: ServerRequest): boolean {
  return method === 'POST' && headers.has(actionHeader)
}

/** Where an error occurred that no page answers for. */
function occurrence(read: PageTarget, scope: RequestScope) {
  // As proxy.ts left it: an error that was reported on its way here keeps its digest.
  return { ...read, request: scope.request, scope, match: scope.match ?? undefined }
}

/**
 * Answers a request that was read: asks proxy.ts first, where the app has one.
 * @param added takes the headers that proxy.ts adds to whatever is answered
 */
function answer(
  answering: Dispatch,
  added: HeaderLines,
): HandlerResponse | Promise<HandlerResponse> {
  const { app, scope } = answering
  return app.proxy === null || scope.phase === 'prerender'
    ? dispatch(answering)
    : answerBehind(app.proxy, answering, added)
}

async function answerBehind(
  proxy: RunProxy,
  answering: Dispatch,
  added: HeaderLines,
): Promise<HandlerResponse> {
  const { app, scope, shown, request: received } = answering
  const proxyEnds = scope.context.timings?.start('proxy')
  const proxied = await passProxy(shown, received, scope, { proxy, buildId: app.buildId })
  proxyEnds?.()
  if (proxied.kind === 'answered') return proxied.answer
  added.push(...proxied.headers)
  const { read, request } = proxied
  const letsPass = (pathname: string) => asksProxy(pathname, received, scope, proxy)
  return dispatch({ ...answering, read, request, letsPass })
}
