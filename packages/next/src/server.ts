import { URLPattern as UrlPatternPolyfill } from 'urlpattern-polyfill/urlpattern'
import { RequestCookies, ResponseCookies } from './messageCookies.ts'
import { ofRequestHeader, rewriteHeader } from './middlewareHeaders.ts'
import { NextURL } from './requestUrl.ts'

export { after, connection } from 'waymark/server'
export { userAgent, userAgentFromString } from './userAgent.ts'
export { NextURL }

/** A request, with its URL in parts and its cookies. */
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

// The platform demands it for a body that is a stream. Of a request, nothing could be spread.
function withDuplex(init: RequestInit | Request): RequestInit {
  if (!(init.body instanceof ReadableStream)) return init
  const half = { duplex: 'half' }
  if (!(init instanceof Request)) return { ...half, ...init }
  const { method, headers, body, redirect, signal } = init
  return { ...half, method, headers, body, redirect, signal }
}

/** What `NextResponse.next()` and `.rewrite()` change of the request that goes on. */
type FollowingInit = ResponseInit & { readonly request?: { readonly headers?: Headers } }

/** A response; or, for the proxy, the word to go on. */
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

  /** @param url absolute */
  static override redirect(url: string | URL, init: number | ResponseInit = 307): NextResponse {
    const responseInit = typeof init === 'number' ? { status: init } : init
    const headers = new Headers(responseInit.headers)
    headers.set('location', String(new URL(url)))
    return new NextResponse(null, { status: 307, ...responseInit, headers })
  }

  /** Lets another path respond, while the URL in the browser stays: for the proxy. */
  static rewrite(destination: string | URL, init: FollowingInit = {}): NextResponse {
    const response = following(rewriteHeader, String(new URL(destination)), init)
    if (NextURL.isOfRequest(destination)) response.headers.set(ofRequestHeader, '1')
    return response
  }

  /** Lets the request go on: for the proxy. */
  static next(init: FollowingInit = {}): NextResponse {
    return following('x-middleware-next', '1', init)
  }
}

/** Packages read these headers, and write them themselves. */
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

/** What a proxy gets beside its request. */
export type NextFetchEvent = {
  /**
   * Pathname that the client asked for, when a rewrite has led from it to the path of this request;
   * else `null`. Not in Next.
   */
  readonly rewrittenFrom: string | null
  /** Keeps what ends with its responses awake. */
  waitUntil(work: Promise<unknown>): void
}

// biome-ignore lint/suspicious/noConfusingVoidType: a proxy may return nothing
type ProxyAnswer = Response | null | undefined | void

/** The function of a proxy. */
export type NextProxy = (
  request: NextRequest,
  event: NextFetchEvent,
) => ProxyAnswer | Promise<ProxyAnswer>
export type NextMiddleware = NextProxy

/** Where a proxy runs. */
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

/** Matches URLs; of our own where the runtime has none, as Node before 24. */
export const URLPattern =
  (globalThis as { URLPattern?: typeof UrlPatternPolyfill }).URLPattern ?? UrlPatternPolyfill
