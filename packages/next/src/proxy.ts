import { createBodyError, limitBody } from 'waymark/plugin/server'
import { after, next, type ProxyContext, type ProxyResult, rewrite } from 'waymark/server'
import { compileHeaders, compileRedirects, compileRewrites, type Target } from './configRules.ts'
import { forward, namesOtherHeaders, receivedHeaders, withConnection } from './forward.ts'
import { withSetCookies } from './messageCookies.ts'
import { ofRequestHeader, rewriteHeader } from './middlewareHeaders.ts'
import type { ConfigRules } from './nextConfig.ts'
import { NextURL } from './requestUrl.ts'
import { createTargetReader } from './rewriteTarget.ts'
import { ClientTextError, compileRule, type RuleRequest } from './rules.ts'
import { type NextFetchEvent, type NextProxy, NextRequest, type ProxyConfig } from './server.ts'

/** Exports of an app's `proxy.ts` or `middleware.ts`. */
type ProxyModule = {
  readonly default?: unknown
  readonly proxy?: unknown
  readonly middleware?: unknown
  readonly config?: ProxyConfig
}

/** Result of the app's proxy: a response, a request that continues, or `null`. */
type Step = Response | Onward | null

type Onward = ProxyResult & {
  /** True for a rewrite to the request's own URL with a different path or query. */
  readonly isOfRequest: boolean
}

/** State of a request while the rules and the app's proxy run. */
type Passage = {
  readonly request: Request
  readonly received: Headers
  readonly context: ProxyContext
  target: Target | null
  /** Headers as the app's proxy changed them; `undefined` if the headers are unchanged. */
  requestHeaders: Headers | undefined
  readonly added: Headers
}

/**
 * Combines an app's proxy with the rules in its configuration. Each request goes through these
 * steps: headers, redirects, the proxy, rewrites, and the proxy again for a rewritten path.
 * @param pages patterns of the app's routes, such as `/blog/[slug]`
 * @param allowedHosts the app's own host names, if it lists them
 */
export function createProxy(
  app: ProxyModule,
  rules: ConfigRules,
  pages: readonly string[],
  allowedHosts: readonly string[] = [],
): {
  readonly proxy: (request: Request, context?: ProxyContext) => Promise<Response | ProxyResult>
  /** Tells the framework that this proxy also runs the app's proxy for rewritten paths. */
  readonly seesRewrites: true
  /** Returns the response for a path outside `basePath`, if a redirect matches. */
  readonly outside: (request: Request) => Response | null
  /** True if the app's proxy must run before a file in `public/` is sent. */
  readonly matchesFile: (pathname: string) => boolean
} {
  const run = proxyOf(app)
  const matcher = compileMatcher(app.config)
  const addHeaders = compileHeaders(rules)
  const redirect = compileRedirects(rules)
  const respondOutside = compileOutside(rules)
  const rewriteTo = compileRewrites(rules, pages)
  const readTarget = createTargetReader(allowedHosts)

  /**
   * Runs the app's proxy for a path.
   * @param chain the requests that have been rewritten to this path
   * @returns the proxy's response, or `null` if the request continues with the values in `passage`
   */
  async function runFor(seen: RuleRequest, passage: Passage, chain: readonly RuleRequest[]) {
    if (run === null || !matcher.isMeant(seen)) return null
    const { request, received } = passage
    const step = await runProxy(run, seen, passage, eventOf(chain))
    if (step instanceof Response) return step
    if (step === null) return null
    for (const [name, value] of step.headers) passage.added.append(name, value)
    const headers = passage.requestHeaders ?? received
    passage.requestHeaders = followingHeaders(step, passage.requestHeaders, received)
    if (step.kind === 'next') return null
    const seenRequest = {
      url: seen.url.href,
      method: request.method,
      headers,
      signal: request.signal,
    }
    passage.target = await readTarget(writtenRewrite(step), seenRequest, async (other) => {
      const url = new NextURL(other.url)
      const alone = { ...passage, request: other, requestHeaders: other.headers }
      const result = await runProxy(run, { url, headers: other.headers }, alone, silentEvent)
      if (result instanceof Response) result.body?.cancel().catch(() => {})
      return result instanceof Response || result?.kind !== 'rewrite'
        ? null
        : writtenRewrite(result)
    })
    return null
  }

  /**
   * Runs the app's proxy again, for the path it rewrote to, because the guards in the proxy have seen
   * only the original path. The second run's response and headers are used, but if it rewrites
   * again, that is ignored. Otherwise, a proxy that adds a prefix to each path would rewrite forever.
   */
  async function runForServed(passage: Passage, chain: readonly RuleRequest[]) {
    const first = chain.at(0)
    const last = chain.at(-1)
    if (run === null || !first || !last || passage.target?.kind !== 'inside') return null
    const served = at(passage.target, first)
    if (served.url.pathname === last.url.pathname || !matcher.isMeant(served)) return null
    const step = await runProxy(run, served, passage, eventOf(chain))
    if (step instanceof Response) return leadsBack(step, chain) ? null : step
    if (step === null) return null
    const { added } = passage
    for (const [name, value] of step.headers) {
      const isNew = name === 'set-cookie' ? !added.getSetCookie().includes(value) : !added.has(name)
      if (isNew) added.append(name, value)
    }
    passage.requestHeaders = followingHeaders(step, passage.requestHeaders, passage.received)
    return null
  }

  async function pass(
    request: Request,
    context: ProxyContext = noContext,
  ): Promise<Response | ProxyResult> {
    const received = receivedHeaders(request.headers)
    const seen: RuleRequest = { url: new NextURL(request.url), headers: received }
    const requestHeaders = namesOtherHeaders(request.headers) ? received : undefined
    const added = addHeaders(seen)
    const passage: Passage = { request, received, context, requestHeaders, added, target: null }
    const first = redirect(seen) ?? (await runFor(seen, passage, []))
    if (first) return withHeaders(first, added)
    const chain = [seen]
    const ruled = passage.target?.kind === 'outside' ? null : rewriteTo(at(passage.target, seen))
    passage.target = ruled ?? passage.target
    // A guard in the app's proxy has only seen the path before the rewrite, so run it again.
    if (ruled?.kind === 'inside') {
      const second = await runFor(at(ruled, seen), passage, chain)
      if (second) return withHeaders(second, added)
      chain.push(at(ruled, seen))
    }
    const refusal = await runForServed(passage, chain)
    if (refusal) return withHeaders(refusal, added)
    return goOn(passage)
  }

  return {
    seesRewrites: true,
    proxy: (request, context) => pass(request, context).catch(refuseClientText),
    outside: ({ url, headers }) => respondOutside({ url: new NextURL(url), headers }),
    matchesFile: (pathname) => run !== null && matcher.mayMean(pathname),
  }
}

/** Context for runtimes that provide no information about the client. */
const noContext: ProxyContext = { rewrittenFrom: null, forwardedFor: null, remoteAddress: null }

async function goOn(passage: Passage): Promise<Response | ProxyResult> {
  const { target, request, received, context, added: headers } = passage
  if (target?.kind === 'outside') {
    const outgoing = { request, received, context, headers: passage.requestHeaders }
    return withHeaders(await forward(target.url, outgoing), headers)
  }
  const requestHeaders =
    passage.requestHeaders && withConnection(passage.requestHeaders, request.headers)
  if (target === null) return next({ headers, requestHeaders })
  return rewrite(target.url, { headers, requestHeaders })
}

function eventOf(chain: readonly RuleRequest[]): NextFetchEvent {
  return {
    waitUntil: (work) => after(work),
    rewrittenFrom: chain.at(0)?.url.pathname ?? null,
  }
}

/** Event for running the app's proxy just to find out how it builds a URL. */
const silentEvent: NextFetchEvent = {
  waitUntil: (work) => void work.catch(() => {}),
  rewrittenFrom: null,
}

function writtenRewrite({ target, isOfRequest }: Onward) {
  return { target: target ?? '', isOfRequest }
}

/** True for a redirect to a URL that was rewritten to this one. Following it would never end. */
function leadsBack(response: Response, chain: readonly RuleRequest[]): boolean {
  if (response.status < 300 || response.status >= 400) return false
  const [path = ''] = (response.headers.get('location') ?? '').split('#')
  const bare = (written: string) => written.replace(/(.)\/(?=\?|$)/, '$1')
  return chain.some(({ url }) => bare(url.pathname + url.search) === bare(path))
}

/** Compiles the redirects for paths outside `basePath`. */
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

/**
 * Responds with 400 if a value from the client isn't allowed in a destination, because that is the
 * client's mistake.
 */
function refuseClientText(thrown: unknown): Response {
  if (!(thrown instanceof ClientTextError)) throw thrown
  return new Response('400 Bad Request\n', { status: 400 })
}

/** Returns the request with the URL to which it was rewritten, for matching further rules. */
function at(target: Target | null, seen: RuleRequest): RuleRequest {
  if (target === null) return seen
  const { pathname, search } = new URL(target.url, seen.url.origin)
  const url = new NextURL(seen.url.href)
  url.pathname = pathname
  url.search = search
  return { ...seen, url }
}

function proxyOf(app: ProxyModule): NextProxy | null {
  const run = app.default ?? app.proxy ?? app.middleware
  if (run !== undefined && typeof run !== 'function') {
    throw new Error(`proxy.ts exports a value of type ${typeof run}. Export a function instead.`)
  }
  if (run === undefined && Object.keys(app).length > 0) {
    throw new Error(
      "proxy.ts doesn't export a function to run. Export one as default, or with the name proxy or middleware.",
    )
  }
  return (run as NextProxy | undefined) ?? null
}

/** Decides for which requests the app's proxy runs. */
type CompiledMatcher = {
  isMeant(request: RuleRequest): boolean
  /** True if the matcher may match a path. Ignores conditions on headers and cookies. */
  mayMean(pathname: string): boolean
}

function compileMatcher(config: ProxyConfig | undefined): CompiledMatcher {
  if (config?.matcher === undefined) return { isMeant: () => true, mayMean: () => true }
  const entries = [config.matcher].flat().map((each) => {
    return typeof each === 'string' ? { source: each } : each
  })
  const matchers = entries.map((each) => compileRule(each))
  const sources = entries.map(({ source }) => compileRule({ source }))
  const matchesAny = (list: typeof matchers, request: RuleRequest) => {
    const pathname = decodePath(request.url.pathname)
    // Otherwise a path that can't be decoded would get past the proxy's checks.
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
  { request, received: sent, requestHeaders: headers = sent }: Passage,
  event: NextFetchEvent,
): Promise<Step> {
  const { method, signal } = request
  const body = request.body && boundedCopy(request)
  const init = { method, signal, headers, ...(body && { body, duplex: 'half' }) }
  const received = nextRequestOf(new Request(url.href, init))
  const step = translate((await run(received, event)) ?? null)
  // Data that nobody reads would stay in memory, so cancel the copied body.
  if (!received.bodyUsed) received.body?.cancel().catch(() => {})
  return step instanceof Response ? withRelativeLocation(step, request.url) : step
}

/**
 * Maximum bytes of a body that the proxy may read. Reading the copy buffers everything that hasn't
 * been read from the request itself.
 */
const maxCopiedBytes = 10_000_000

/** Copies a request's body. Reading the copy fails when it exceeds `maxCopiedBytes`. */
function boundedCopy(request: Request): ReadableStream<Uint8Array> {
  const reader = request.clone().body?.getReader()
  let length = 0
  return new ReadableStream(
    {
      async pull(controller) {
        if (length > maxCopiedBytes) {
          const message = `The body is larger than ${maxCopiedBytes} bytes.`
          controller.error(createBodyError(message, 413))
          return reader?.cancel()
        }
        const { done = true, value } = (await reader?.read()) ?? {}
        if (done || value === undefined) return controller.close()
        length += value.byteLength
        controller.enqueue(value)
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/**
 * Makes a redirect to the app itself relative. Behind a different server, the origin that the app
 * sees is wrong.
 */
function withRelativeLocation(response: Response, requestUrl: string): Response {
  const appUrl = new NextURL(requestUrl)
  const location = response.headers.get('location') ?? ''
  const target = URL.canParse(location) ? new NextURL(location) : null
  if (target?.origin !== appUrl.origin || target.basePath !== appUrl.basePath) return response
  const { pathname, search, hash } = target
  // Browsers would read a path that starts with `//` as a host.
  if (pathname.startsWith('//')) return response
  return withHeaders(response, new Headers(), pathname + search + hash)
}

/**
 * Creates the request for the app's proxy. Sets the `x-forwarded-*` headers, from which packages
 * build URLs. Removes the framework's own headers, which a client may have sent and a proxy may
 * pass on.
 */
function nextRequestOf(request: Request): NextRequest {
  const received = new NextRequest(request)
  limitBody(received)
  Object.assign(received, { nextUrl: NextURL.ofRequest(received.url) })
  const { headers } = received
  for (const name of [...headers.keys()]) if (/^x-middleware-/.test(name)) headers.delete(name)
  const { host, protocol } = new URL(request.url)
  headers.set('x-forwarded-host', host)
  headers.set('x-forwarded-proto', protocol.slice(0, -1))
  return received
}

/**
 * Matches the framework's headers, and headers that describe only one message's body or connection.
 */
const perMessageHeader =
  /^(?:x-middleware-.*|content-(?:encoding|length)|accept-encoding|connection|expect|keep-?alive|transfer-encoding)$/

/** Reads the framework's headers in the proxy's response. */
export function translate(response: Response | null): Step {
  if (response === null) return null
  const target = response.headers.get(rewriteHeader)
  if (target === null && !response.headers.has('x-middleware-next')) return response
  const headers = new Headers(
    [...response.headers].filter(([name]) => !perMessageHeader.test(name)),
  )
  const init = { headers, requestHeaders: requestHeadersOf(response.headers) }
  const isOfRequest = response.headers.has(ofRequestHeader)
  return { ...(target === null ? next(init) : rewrite(target, init)), isOfRequest }
}

/**
 * Returns the headers of the request that continues. The page also sees the headers and cookies in
 * the proxy's response, such as a refreshed session.
 * @returns `undefined` if the headers are unchanged
 */
function followingHeaders(
  step: ProxyResult,
  before: Headers | undefined,
  received: Headers,
): Headers | undefined {
  const requestHeaders = step.requestHeaders ?? before
  const added = [...step.headers]
  if (added.length === 0) return requestHeaders
  const following = new Headers(requestHeaders ?? received)
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

/** Wraps a route handler so that it gets a `NextRequest`. Other values are returned unchanged. */
export function withNextRequest(handler: unknown): unknown {
  if (typeof handler !== 'function') return handler
  return (request: Request, context: unknown) => handler(nextRequestOf(request), context)
}

/**
 * Reads `dynamic` of a route handler. A handler is never static if it also exports methods that
 * change something, such as `POST`.
 * @param exported all exports of the handler's file
 */
export function handlerDynamic(exported: Readonly<Record<string, unknown>>): unknown {
  const changes = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].some((name) => name in exported)
  return exported.dynamic === 'force-static' && changes ? 'auto' : exported.dynamic
}
