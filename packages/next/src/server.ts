import { URLPattern as UrlPatternPolyfill } from 'urlpattern-polyfill/urlpattern'
import { RequestCookies, ResponseCookies } from './messageCookies.ts'
import { ofRequestHeader, rewriteHeader } from './middlewareHeaders.ts'
import { NextURL } from './requestUrl.ts'

export { after, connection } from 'waymark/server'
export { userAgent, userAgentFromString } from './userAgent.ts'
export { NextURL }

/** A request with a parsed URL and parsed cookies. */
export class NextRequest extends Request {
  readonly nextUrl: NextURL
  readonly cookies: RequestCookies

  constructor(input: string | URL | Request, init: RequestInit = {}) {
    const isRequest = input instanceof Request
    super(isRequest ? input : String(input), withDuplex(init))
    this.nextUrl = new NextURL(this.url)
    this.cookies = new RequestCookies(this.headers)
  }
}

// Adds the option `duplex`, which requests with a stream as their body need. Copies a `Request`'s
// properties one by one, because spreading it copies nothing.
function withDuplex(init: RequestInit | Request): RequestInit {
  if (!(init.body instanceof ReadableStream)) return init
  const half = { duplex: 'half' }
  if (!(init instanceof Request)) return { ...half, ...init }
  const { method, headers, body, redirect, signal } = init
  return { ...half, method, headers, body, redirect, signal }
}

/**
 * Options of `NextResponse.next()` and `.rewrite()`, which can replace the headers of the request.
 */
type FollowingInit = ResponseInit & { readonly request?: { readonly headers?: Headers } }

/** A response. From a proxy, it can also let the request continue. */
export class NextResponse<_Body = unknown> extends Response {
  readonly cookies: ResponseCookies

  constructor(body?: BodyInit | null, init: ResponseInit = {}) {
    super(body, init)
    this.cookies = new ResponseCookies(this.headers)
  }

  static override json<Body>(body: Body, init: ResponseInit = {}): NextResponse<Body> {
    const { headers } = Response.json(null)
    new Headers(init.headers).forEach((value, name) => {
      if (name === 'set-cookie') headers.append(name, value)
      else headers.set(name, value)
    })
    return new NextResponse(JSON.stringify(body), { ...init, headers })
  }

  /** Redirects to a URL. @param url absolute */
  static override redirect(url: string | URL, init: number | ResponseInit = 307): NextResponse {
    const responseInit = typeof init === 'number' ? { status: init } : init
    const headers = new Headers(responseInit.headers)
    headers.set('location', String(new URL(url)))
    return new NextResponse(null, { status: 307, ...responseInit, headers })
  }

  /**
   * In a proxy, responds with the page at a different path. The URL in the browser doesn't change.
   */
  static rewrite(destination: string | URL, init: FollowingInit = {}): NextResponse {
    const response = following(rewriteHeader, String(new URL(destination)), init)
    if (NextURL.isOfRequest(destination)) response.headers.set(ofRequestHeader, '1')
    return response
  }

  /** In a proxy, lets the request continue. */
  static next(init: FollowingInit = {}): NextResponse {
    return following('x-middleware-next', '1', init)
  }
}

/**
 * Creates the response that lets a request continue. Its headers are named as in Next, because
 * packages read and write them, too.
 */
function following(mark: string, value: string, { request, ...init }: FollowingInit): NextResponse {
  const headers = new Headers(init.headers)
  headers.set(mark, value)
  if (request?.headers) {
    const replaced = [...request.headers]
    for (const [name, each] of replaced) headers.set(`x-middleware-request-${name}`, each)
    headers.set('x-middleware-override-headers', replaced.map(([name]) => name).join(','))
  }
  return new NextResponse(null, { ...init, headers })
}

/** Second argument of a proxy. */
export type NextFetchEvent = {
  /**
   * Pathname that the client requested, if a rewrite has led to this request; otherwise `null`.
   * Next doesn't have this property.
   */
  readonly rewrittenFrom: string | null
  /** Keeps the process running until the promise settles, even after the response has been sent. */
  waitUntil(work: Promise<unknown>): void
}

// biome-ignore lint/suspicious/noConfusingVoidType: a proxy may return nothing
type ProxyAnswer = Response | null | undefined | void

/** The function that `proxy.ts` exports. */
export type NextProxy = (
  request: NextRequest,
  event: NextFetchEvent,
) => ProxyAnswer | Promise<ProxyAnswer>
export type NextMiddleware = NextProxy

/** Configuration that decides for which requests the proxy runs. */
export type ProxyConfig = { readonly matcher?: Matcher | readonly Matcher[] }
export type MiddlewareConfig = ProxyConfig

type Matcher =
  | string
  | {
      readonly source: string
      readonly has?: readonly Condition[]
      readonly missing?: readonly Condition[]
      readonly locale?: false
    }

type Condition = {
  readonly type: 'header' | 'cookie' | 'query' | 'host'
  readonly key?: string
  readonly value?: string
}

/**
 * Matches URLs. Runtimes without `URLPattern`, such as Node before 24, use our own implementation.
 */
export const URLPattern =
  (globalThis as { URLPattern?: typeof UrlPatternPolyfill }).URLPattern ?? UrlPatternPolyfill
