import type { HandlerResponse, HeaderLines } from '../http/response.ts'
import type { RouteMatch } from '../routing/match.ts'
import { statusResponse } from './errors/screenResponse.ts'
import type { HandlerApp } from './handlerApp.ts'
import { noPageData } from './page/pageResponse.ts'
import { crossOriginReason } from './request/crossOrigin.ts'
import type { Exchange } from './request/exchange.ts'
import { runRouteHandler } from './request/routeHandler.ts'
import { observed } from './request/serverObserver.ts'

/** Runs the route handler for a request. @throws errors of the handler, except signals */
export async function respondByRouteHandler(
  match: RouteMatch,
  exchange: Exchange,
  app: HandlerApp,
): Promise<HandlerResponse> {
  const { scope, destination, request } = exchange
  const { theme, screens, actionSettings } = app
  // A route handler has no page data. This response makes the browser load the URL as a document.
  if (destination.kind === 'data') return noPageData(app.buildId)
  if (scope.phase === 'render') scope.phase = 'route-handler'
  scope.root = match.root
  // A WebSocket has no preflight request. Without this check, pages on any site could read from it.
  const sent = { headers: scope.context.sentHeaders, origin: request.origin }
  const isSocket = sent.headers.get('upgrade')?.toLowerCase() === 'websocket'
  const foreign = isSocket ? crossOriginReason(sent, actionSettings.allowedOrigins) : null
  if (foreign !== null) {
    app.logForeign(foreign, { kind: 'WebSocket', pathname: destination.pathname })
    return { status: 403, headers: [], body: null }
  }
  const { module } = await app.modules.load(match.file)
  const screen = (status: number, headers: HeaderLines) =>
    statusResponse(status, { request, theme: theme.config, screens, headers })
  const run = () => runRouteHandler({ module, match, scope, request, screen })
  return observed(scope.context.observer, { kind: 'route-handler', file: match.file }, run)
}
