import { after, next, type ProxyFunction, type ProxyResult, rewrite } from 'waymark/server'
import { compileHeaders, compileRedirects, compileRewrites, type Target } from './configRules.ts'
import { forward } from './forward.ts'
import { withSetCookies } from './messageCookies.ts'
import type { ConfigRules } from './nextConfig.ts'
import { NextURL } from './requestUrl.ts'
import { ClientTextError, compileRule, type RuleRequest } from './rules.ts'
import { type NextProxy, NextRequest, type ProxyConfig } from './server.ts'

/** What an app's `proxy.ts` or `middleware.ts` may export. */
type ProxyModule = {
  readonly default?: unknown
  readonly proxy?: unknown
  readonly middleware?: unknown
  readonly config?: ProxyConfig
}

/** What is to be done with a request, beside the headers of its response. */
type Step = Response | ProxyResult | null

/** What a request leads to so far. */
type Passage = { target: Target | null; requestHeaders: Headers | undefined; added: Headers }

/**
 * Puts an app's proxy between the rules of its configuration: headers, redirects, the proxy,
 * rewrites, and the proxy again for the path that a rewrite leads to.
 * @param pages patterns of the app's routes: `/blog/[slug]`
 */
export function createProxy(
  app: ProxyModule,
  rules: ConfigRules,
  pages: readonly string[],
): {
  readonly proxy: ProxyFunction
  /** Responds to what is outside of `basePath`, where a redirect is for it. */
  readonly outside: (request: Request) => Response | null
  /** Tells whether the app's proxy is to run before a file of `public/` is sent. */
  readonly matchesFile: (pathname: string) => boolean
} {
  const run = proxyOf(app)
  const matcher = compileMatcher(app.config)
  const addHeaders = compileHeaders(rules)
  const redirect = compileRedirects(rules)
  const respondOutside = compileOutside(rules)
  const rewriteTo = compileRewrites(rules, pages)

  /** @returns the app's response, or `null` where the request goes on by `passage` */
  async function runFor(seen: RuleRequest, request: Request, passage: Passage) {
    const step = run && matcher.isMeant(seen) ? await runProxy(run, seen, request, passage) : null
    if (step instanceof Response) return step
    for (const [name, value] of step?.headers ?? []) passage.added.append(name, value)
    if (step) passage.requestHeaders = followingHeaders(step, passage.requestHeaders, request)
    if (step?.kind === 'rewrite') passage.target = targetOf(step.target ?? '', request)
    return null
  }

  async function pass(request: Request): Promise<Response | ProxyResult> {
    const seen: RuleRequest = { url: new NextURL(request.url), headers: request.headers }
    const passage: Passage = { target: null, requestHeaders: undefined, added: addHeaders(seen) }
    const first = redirect(seen) ?? (await runFor(seen, request, passage))
    if (first) return withHeaders(first, passage.added)
    const ruled = passage.target?.kind === 'elsewhere' ? null : rewriteTo(at(passage.target, seen))
    passage.target = ruled ?? passage.target
    // A guard has seen another path, and not the one that is served.
    if (ruled?.kind === 'inside') {
      const second = await runFor(at(ruled, seen), request, passage)
      if (second) return withHeaders(second, passage.added)
    }
    const { target, added: headers, requestHeaders } = passage
    if (target === null) return next({ headers, requestHeaders })
    return target.kind === 'inside'
      ? rewrite(target.url, { headers, requestHeaders })
      : withHeaders(await forward(target.url, request, requestHeaders), headers)
  }

  return {
    proxy: (request) => pass(request).catch(refuseClientText),
    outside: ({ url, headers }) => respondOutside({ url: new NextURL(url), headers }),
    matchesFile: (pathname) => run !== null && matcher.mayMean(pathname),
  }
}

/** The redirects of what is outside of `basePath`. */
function compileOutside(rules: ConfigRules): (request: RuleRequest) => Response | null {
  const redirects = rules.redirects.filter(({ basePath }) => basePath === false)
  const redirect = compileRedirects({ ...rules, redirects })
  return (request) => {
    try {
      return redirect(request)
    } catch (thrown) {
      return refuseClientText(thrown)
    }
  }
}

/** What a client sent has no place in a destination: nothing is wrong with the app. */
function refuseClientText(thrown: unknown): Response {
  if (!(thrown instanceof ClientTextError)) throw thrown
  return new Response('400 Bad Request\n', { status: 400 })
}

/** The request as a rule sees it once it has been rewritten. */
function at(target: Target | null, seen: RuleRequest): RuleRequest {
  if (target === null) return seen
  const { pathname, search } = new URL(target.url, seen.url.origin)
  const url = new NextURL(seen.url.href)
  url.pathname = pathname
  url.search = search
  return { ...seen, url }
}

/** Reads where the app's own proxy rewrites to; what it can tell is a URL as a whole. */
function targetOf(written: string, request: Request): Target {
  const url = new NextURL(written, request.url)
  if (url.origin !== new URL(request.url).origin) return { kind: 'elsewhere', url: url.href }
  const isBelow = url.basePath === new NextURL(request.url).basePath
  return { kind: 'inside', url: isBelow ? url.pathname + url.search : url.href }
}

function proxyOf(app: ProxyModule): NextProxy | null {
  const run = app.default ?? app.proxy ?? app.middleware
  if (run !== undefined && typeof run !== 'function') {
    throw new Error(`proxy.ts exports ${typeof run} where it should export a function.`)
  }
  if (run === undefined && Object.keys(app).length > 0) {
    throw new Error('proxy.ts exports no function named proxy, middleware or default.')
  }
  return (run as NextProxy | undefined) ?? null
}

/** Where the app's proxy runs. */
type CompiledMatcher = {
  isMeant(request: RuleRequest): boolean
  /** Leaves out what a request would have to hold. */
  mayMean(pathname: string): boolean
}

function compileMatcher(config: ProxyConfig | undefined): CompiledMatcher {
  if (config?.matcher === undefined) return { isMeant: () => true, mayMean: () => true }
  const given = [config.matcher].flat().map((each) => {
    return typeof each === 'string' ? { source: each } : each
  })
  const matchers = given.map((each) => compileRule(each))
  const sources = given.map(({ source }) => compileRule({ source }))
  const matchesAny = (list: typeof matchers, request: RuleRequest) => {
    const pathname = decodePath(request.url.pathname)
    // What can't be read is better checked than let through.
    if (pathname === null) return true
    const forms = [request, { ...request, pathname }]
    return list.some((match) => forms.some((form) => match(form) !== null))
  }
  return {
    isMeant: (request) => matchesAny(matchers, request),
    mayMean(pathname) {
      const url = new NextURL('http://site.invalid')
      url.pathname = pathname
      return matchesAny(sources, { url, headers: new Headers() })
    },
  }
}

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

async function runProxy(
  run: NextProxy,
  { url }: RuleRequest,
  request: Request,
  { requestHeaders: headers = request.headers }: Passage,
): Promise<Step> {
  const event = { waitUntil: (work: Promise<unknown>) => after(work) }
  const body = request.body ? request.clone() : request
  const received = nextRequestOf(new Request(url.href, new NextRequest(body, { headers })))
  const step = translate((await run(received, event)) ?? null)
  // All that comes of the body would wait for who does not read it.
  if (!received.bodyUsed) received.body?.cancel().catch(() => {})
  return step instanceof Response ? withOwnLocation(step, request.url) : step
}

/** A redirect to the app itself has no origin: behind another server, this one would be wrong. */
function withOwnLocation(response: Response, requestUrl: string): Response {
  const own = new NextURL(requestUrl)
  const location = response.headers.get('location') ?? ''
  const target = URL.canParse(location) ? new NextURL(location) : null
  if (target?.origin !== own.origin || target.basePath !== own.basePath) return response
  const { pathname, search, hash } = target
  // A path that begins so names a host.
  if (pathname.startsWith('//')) return response
  return withHeaders(response, new Headers(), pathname + search + hash)
}

/**
 * Packages take the host and the scheme of their URLs from headers, as they were received. What is
 * written for the framework is no client's to write: a proxy may pass its headers on.
 */
function nextRequestOf(request: Request): NextRequest {
  const received = new NextRequest(request)
  const { headers } = received
  for (const name of [...headers.keys()]) if (/^x-middleware-/.test(name)) headers.delete(name)
  const { host, protocol } = new URL(request.url)
  headers.set('x-forwarded-host', host)
  headers.set('x-forwarded-proto', protocol.slice(0, -1))
  return received
}

/** What is written for the framework, and what each message says of its own body and connection. */
const ownOfMessage =
  /^(?:x-middleware-.*|content-(?:encoding|length)|accept-encoding|connection|expect|keep-?alive|transfer-encoding)$/

/** Reads what a proxy wrote for the framework into the headers of its response. */
export function translate(response: Response | null): Step {
  if (response === null) return null
  const target = response.headers.get('x-middleware-rewrite')
  if (target === null && !response.headers.has('x-middleware-next')) return response
  const headers = new Headers([...response.headers].filter(([name]) => !ownOfMessage.test(name)))
  const given = { headers, requestHeaders: requestHeadersOf(response.headers) }
  return target === null ? next(given) : rewrite(target, given)
}

/**
 * The headers of the request that goes on: the page reads those of the response, too, and the cookies
 * that it sets, as a session that the proxy has refreshed.
 * @returns `undefined` where they stay as they are
 */
function followingHeaders(
  step: ProxyResult,
  before: Headers | undefined,
  request: Request,
): Headers | undefined {
  const given = step.requestHeaders ?? before
  const added = [...step.headers]
  if (added.length === 0) return given
  const following = new Headers(given ?? request.headers)
  for (const [name, value] of added) {
    if (name !== 'set-cookie' && name !== 'content-type') following.set(name, value)
  }
  const cookie = withSetCookies(following.get('cookie') ?? '', step.headers.getSetCookie())
  if (cookie === '') following.delete('cookie')
  else following.set('cookie', cookie)
  return following
}

function requestHeadersOf(headers: Headers): Headers | undefined {
  const names = headers.get('x-middleware-override-headers')
  if (names === null) return undefined
  const replaced = new Headers()
  for (const name of names.split(',').map((each) => each.trim())) {
    const value = headers.get(`x-middleware-request-${name}`)
    if (value !== null) replaced.set(name, value)
  }
  return replaced
}

function withHeaders(response: Response, added: Headers, location?: string): Response {
  const headers = new Headers(response.headers)
  if (location !== undefined) headers.set('location', location)
  for (const [name, value] of added) {
    if (name === 'set-cookie' || !response.headers.has(name)) headers.append(name, value)
  }
  const { status, statusText } = response
  return new Response(response.body, { status, statusText, headers })
}

/** Gives a route handler a `NextRequest`; what is no function stays as it is. */
export function withNextRequest(handler: unknown): unknown {
  if (typeof handler !== 'function') return handler
  return (request: Request, context: unknown) => handler(nextRequestOf(request), context)
}

/**
 * Reads `dynamic` of a route handler: what is beside a method that changes something is never static.
 * @param exported all that its file exports
 */
export function handlerDynamic(exported: Readonly<Record<string, unknown>>): unknown {
  const changes = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].some((name) => name in exported)
  return exported.dynamic === 'force-static' && changes ? 'auto' : exported.dynamic
}
