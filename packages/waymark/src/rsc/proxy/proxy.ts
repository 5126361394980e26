import { parseTarget } from '../../routing/canonical.ts'
import type {
  HandlerResponse,
  HeaderLines,
  RequestHeaders,
  ServerRequest,
} from '../../shared/answer.ts'
import { frameworkError } from '../../shared/errors.ts'
import { internalPrefix, isInternalHeader } from '../../shared/protocol.ts'
import { fromResponse, isResponse, responseProblem } from '../handlers/responseAnswer.ts'
import { toWebRequest } from '../request/webRequest.ts'
import { compileMatcher, type ProxyMatcher } from './proxyMatcher.ts'
import { isProxyResult, type ProxyResult } from './proxyResult.ts'

/** The function that proxy.ts exports, as default or as `proxy`. */
export type ProxyFunction = (
  request: Request,
) => Response | ProxyResult | undefined | null | Promise<Response | ProxyResult | undefined | null>

/** What proxy.ts may export as `config`. */
export type ProxyConfig = {
  /** Paths that the function runs for. Default: every path that is not a file. */
  readonly matcher?: ProxyMatcher | undefined
}

/** A request before its route is matched, with the URL of its page in canonical form. */
export type ProxyRequest = {
  readonly request: ServerRequest
  readonly pathname: string
  readonly search: string
}

/** What becomes of a request; `request` is what all that follows shall see. */
export type ProxyDecision =
  /** Its matcher leaves the path out: the function did not run. */
  | { readonly kind: 'skip' }
  | { readonly kind: 'next'; readonly headers: HeaderLines; readonly request: ServerRequest }
  | {
      readonly kind: 'rewrite'
      readonly pathname: string
      readonly search: string
      readonly headers: HeaderLines
      readonly request: ServerRequest
    }
  | { readonly kind: 'answer'; readonly answer: HandlerResponse }

/** Asks proxy.ts about a request. Rejects with what the function threw, signals included. */
export type RunProxy = (proxied: ProxyRequest) => Promise<ProxyDecision>

/**
 * Prepares an app's proxy.ts.
 * @param module what the file exports
 * @throws `PROXY_EXPORT`, `PROXY_MATCHER`
 */
export function createProxy(module: Readonly<Record<string, unknown>>): RunProxy {
  const run = functionOf(module)
  const config = module.config as ProxyConfig | undefined
  const isMatched = compileMatcher(config?.matcher)

  return async function runProxy(proxied) {
    const { request, pathname, search } = proxied
    if (!isMatched(pathname)) return { kind: 'skip' }
    const web = toPageRequest(proxied)
    const result = await run(web)
    const onResult = (reason: string) => frameworkError('PROXY_RESULT', { pathname, reason })
    if (isResponse(result)) {
      const problem = responseProblem(result)
      if (problem) throw onResult(problem)
      return { kind: 'answer', answer: fromResponse(result) }
    }
    if (result !== undefined && result !== null && !isProxyResult(result)) {
      throw onResult(`it is a value of type ${typeof result}`)
    }
    if (web.bodyUsed) throw onResult('it read the body and let the request go on; read a clone()')
    const headers: HeaderLines = result ? [...result.headers] : []
    const following = followingRequest(request, web, result?.requestHeaders ?? null)
    if (result?.kind !== 'rewrite') return { kind: 'next', headers, request: following }
    const target = parseRewrite(result.target ?? '', request.origin, `${pathname}${search}`)
    return { kind: 'rewrite', ...target, headers, request: following }
  }
}

function functionOf(module: Readonly<Record<string, unknown>>): ProxyFunction {
  const run = module.default ?? module.proxy
  if (typeof run === 'function') return run as ProxyFunction
  throw frameworkError('PROXY_EXPORT', { found: Object.keys(module) })
}

function toPageRequest({ request, pathname, search }: ProxyRequest): Request {
  return toWebRequest(request, { target: pathname + search, source: request.toRequest() })
}

/** The request as it goes on: a body can be read once, so it stays in the hands of one Request. */
function followingRequest(
  request: ServerRequest,
  web: Request,
  replaced: Headers | null,
): ServerRequest {
  const headers = replaced ? withInternal(replaced, request.headers) : request.headers
  return {
    method: request.method,
    target: request.target,
    origin: request.origin,
    headers,
    get remoteAddress() {
      return request.remoteAddress
    },
    get signal() {
      return request.signal
    },
    waitUntil: request.waitUntil,
    toRequest: () =>
      toWebRequest(request, { source: web, headers: new Headers([...headers.entries()]) }),
  }
}

function withInternal(replaced: Headers, sent: RequestHeaders): RequestHeaders {
  const lines = [...replaced].filter(([name]) => !isInternalHeader(name))
  for (const line of sent.entries()) if (isInternalHeader(line[0])) lines.push(line)
  return new Headers(lines)
}

function parseRewrite(
  written: string,
  origin: string,
  from: string,
): { pathname: string; search: string } {
  const refuse = (reason: string) => frameworkError('PROXY_REWRITE', { target: written, reason })
  const target = written.startsWith(`${origin}/`) ? written.slice(origin.length) : written
  if (!target.startsWith('/')) throw refuse(`it is no path, and not on ${origin}`)
  const withoutHash = target.split('#', 1)[0] ?? ''
  let parsed = parseTarget(withoutHash)
  // A path put together from parts often ends with a slash; what is meant is clear.
  if (parsed.kind === 'redirect' && !withoutHash.startsWith('//')) {
    parsed = parseTarget(parsed.location)
  }
  if (parsed.kind === 'bad') throw refuse(`${parsed.reason} (asked for ${from})`)
  if (parsed.kind !== 'ok') throw refuse('it names another site')
  if (parsed.pathname.startsWith(internalPrefix)) throw refuse('that path is the framework’s own')
  return { pathname: parsed.pathname, search: parsed.search }
}
