import { parseWeighted } from '../../http/accept.ts'
import type { HandlerResponse, HeaderLines, ServerRequest } from '../../http/response.ts'
import { cancelBody, fromResponse, isResponse, responseProblem } from '../../http/web.ts'
import type { ParamsOf } from '../../routing/appRoutes.ts'
import { withBasePath } from '../../shared/basePath.ts'
import { frameworkError } from '../../shared/errors.ts'
import { type Signal, SignalError, signalOf } from '../../wire/signals.ts'
import { bodyFailures, limitBody, toWebRequest } from './readBody.ts'
import { isRead } from './readRequest.ts'
import { forgetRequest, type RequestScope, responseHeaders, runInScope } from './scope.ts'

export type RouteHandlerModule = Readonly<Record<string, unknown>>

/** Second argument of a function in a route file, typed by the route's pattern or params. */
export type RouteHandlerContext<Given = Record<string, string | string[]>> = {
  readonly params: Promise<Given extends string ? ParamsOf<Given> : Given>
}

export type RouteHandlerRequest = {
  readonly module: RouteHandlerModule
  readonly match: { readonly params: Readonly<Record<string, unknown>> }
  readonly scope: RequestScope
  readonly request: ServerRequest
  /** Creates the screen that a browser shows if the handler doesn't return a response. */
  readonly screen: (status: number, headers: HeaderLines) => HandlerResponse
}

type RouteHandler = (request: Request, context: { params: Promise<unknown> }) => unknown

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * Runs a route handler. A GET handler also responds to HEAD. If `json()` or `formData()` can't
 * parse the body, the status is 400; if the body is too large, it is 413.
 * @throws `ROUTE_HANDLER_RESULT`, and errors from the handler, except signals
 */
export async function runRouteHandler(handler: RouteHandlerRequest): Promise<HandlerResponse> {
  const { module, request, scope } = handler
  const run = functionFor(module, request.method)
  if (run === null) return responseWithout(handler)
  // A route that is static in production must not see the request in development either.
  const isShared = import.meta.env?.DEV && isStaticRouteHandler(module) && !scope.context.isDraft
  const handlerRequest = isShared && isRead(request) ? forgetRequest(scope) : request
  const response = await settle(run, { ...handler, request: handlerRequest })
  return { ...response, headers: [...responseHeaders(scope), ...response.headers] }
}

export function isStaticRouteHandler(module: RouteHandlerModule): boolean {
  return module.dynamic === 'force-static' && typeof module.GET === 'function'
}

export function allowedMethods(module: RouteHandlerModule): string {
  return methods.filter((name) => name === 'OPTIONS' || functionFor(module, name)).join(', ')
}

function functionFor(module: RouteHandlerModule, method: string): RouteHandler | null {
  const name = methods.find((each) => each === method)
  const exported = name && module[name]
  if (typeof exported === 'function') return exported as RouteHandler
  return name === 'HEAD' && typeof module.GET === 'function' ? (module.GET as RouteHandler) : null
}

function responseWithout(handler: RouteHandlerRequest): HandlerResponse {
  const headers: HeaderLines = [['allow', allowedMethods(handler.module)]]
  if (handler.request.method === 'OPTIONS') return { status: 204, headers, body: null }
  return refusal(405, handler, headers)
}

/**
 * Responds with a screen if the client is a browser, which would otherwise show its own error page.
 * A program only gets the status.
 */
function refusal(
  status: number,
  { request, screen }: RouteHandlerRequest,
  headers: HeaderLines = [],
): HandlerResponse {
  const accepted = parseWeighted((request.headers.get('accept') ?? '').slice(0, maxAcceptLength))
  const isBrowser = accepted.some(({ name, q }) => name === 'text/html' && q > 0)
  return isBrowser ? screen(status, headers) : { status, headers, body: null }
}

const maxAcceptLength = 500

async function settle(run: RouteHandler, handler: RouteHandlerRequest): Promise<HandlerResponse> {
  const { match, request, scope } = handler
  try {
    const context = { params: Promise.resolve(match.params) }
    const { pathname, search } = scope.url
    const web = watchRequest(toWebRequest(request, { path: pathname + search }), scope)
    const result = await runInScope(scope, () => run(web, context))
    const response = assertResponse(result, handler)
    // Wait for a generated image. If that fails, the response must be a 500 instead of a broken
    // 200.
    await (response as { readonly ready?: unknown }).ready
    if (request.method !== 'HEAD') return fromResponse(response)
    cancelBody(response)
    return { ...fromResponse(response), body: null }
  } catch (thrown) {
    const signal = signalOf(thrown)
    if (signal) {
      // After a posted form, redirect with a 303, so that the browser sends a GET to the target:
      // RFC 9110 §15.4.4.
      const isChosen = !(thrown instanceof SignalError) || thrown.isStatusOfApp
      if (signal.kind === 'fallback') return refusal(signal.status, handler)
      return redirectResponse(signal, isChosen || isRead(request) ? null : 303)
    }
    const failure = bodyFailures.get(thrown as object)
    if (failure === undefined) throw thrown
    const headers: HeaderLines = [['content-type', 'text/plain; charset=utf-8']]
    return { status: failure.status, headers, body: `${failure.problem}\n` }
  }
}

/** Makes the response dynamic if the handler reads its request's headers, and limits the body. */
function watchRequest(request: Request, scope: RequestScope): Request {
  const { headers, clone } = limitBody(request)
  const get = () => {
    scope.usage.reason ??= 'request.headers'
    return headers
  }
  return Object.defineProperties(request, {
    headers: { get, configurable: true },
    clone: { value: () => watchRequest(clone.call(request), scope), configurable: true },
  })
}

function assertResponse(result: unknown, { request, scope }: RouteHandlerRequest): Response {
  const reason = isResponse(result) ? responseProblem(result) : `it returned ${nameOf(result)}`
  if (reason === null) return result as Response
  const { pathname } = scope.url
  throw frameworkError('ROUTE_HANDLER_RESULT', { method: request.method, pathname, reason })
}

function nameOf(value: unknown): string {
  return value === null || value === undefined ? 'nothing' : `a value of type ${typeof value}`
}

function redirectResponse(
  signal: Extract<Signal, { kind: 'redirect' }>,
  redirectStatus: number | null,
): HandlerResponse {
  const headers: HeaderLines = [['location', withBasePath(signal.location)]]
  return { status: redirectStatus ?? signal.status, headers, body: null }
}
