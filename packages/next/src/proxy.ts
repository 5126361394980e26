import { after, next, type ProxyFunction, type ProxyResult, rewrite } from 'waymark/server'
import type { ConfigRules, Rewrite, Rule } from './nextConfig.ts'
import { NextURL } from './requestUrl.ts'
import { compilePage, compileRule, type RuleRequest, writeDestination } from './rules.ts'
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

/**
 * Puts an app's proxy between the rules of its configuration: headers, redirects, the proxy,
 * rewrites.
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
} {
  const run = proxyOf(app)
  const isMeant = compileMatcher(app.config)
  const headerRules = rules.headers.map((rule) => ({ ...rule, match: compileInApp(rule) }))
  const redirect = compileRedirects(rules)
  const redirectOutside = compileRedirects({
    ...rules,
    redirects: rules.redirects.filter(({ basePath }) => basePath === false),
  })
  const rewriteTo = compileRewrites(rules, pages)
  const proxy: ProxyFunction = async (request) => {
    const seen: RuleRequest = { url: new NextURL(request.url), headers: request.headers }
    const added = new Headers()
    for (const { match, headers } of headerRules) {
      const params = match(seen)
      const given = { url: seen.url, keepsParams: false }
      for (const { key, value } of params ? headers : []) {
        // A value is a text with params, which is no path.
        added.set(key, /:\w/.test(value) && params ? fillValue(value, params, given) : value)
      }
    }
    const first = redirect(seen) ?? (run && isMeant(seen) ? await runProxy(run, request) : null)
    if (first instanceof Response) return withHeaders(first, added)
    for (const [name, value] of first?.headers ?? []) added.append(name, value)
    const isRewritten = first?.kind === 'rewrite'
    const target = isRewritten ? first.target : rewriteTo(seen)
    const requestHeaders = first?.requestHeaders ?? undefined
    if (target !== null && isElsewhere(target, request)) return forward(target, request, added)
    return target === null
      ? next({ headers: added, requestHeaders })
      : rewrite(target, { headers: added, requestHeaders })
  }
  const outside = ({ url, headers }: Request) => redirectOutside({ url: new NextURL(url), headers })
  return { proxy, outside }
}

/** Compiles a rule whose source is below `basePath`, or beside it where it says so. */
function compileInApp(rule: Rule): ReturnType<typeof compileRule> {
  const match = compileRule(rule)
  if (rule.basePath !== false) return match
  return (request) => match({ ...request, pathname: new URL(request.url.href).pathname })
}

function fillValue(...[value, params]: Parameters<typeof writeDestination>): string {
  return value.replaceAll(/:(\w+)[*+?]?/g, (whole, name: string) => {
    const found = params[name]
    return found === undefined ? whole : [found].flat().join('/')
  })
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

function compileMatcher(config: ProxyConfig | undefined): (request: RuleRequest) => boolean {
  if (config?.matcher === undefined) return () => true
  const matchers = [config.matcher].flat().map((each) => {
    return compileRule(typeof each === 'string' ? { source: each } : each)
  })
  return (request) => {
    const pathname = decodePath(request.url.pathname)
    // What can't be read is better checked than let through.
    if (pathname === null) return true
    const forms = [request, { ...request, pathname }]
    return matchers.some((match) => forms.some((form) => match(form) !== null))
  }
}

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

async function runProxy(run: NextProxy, request: Request): Promise<Step> {
  const event = { waitUntil: (work: Promise<unknown>) => after(work) }
  const body = request.body ? request.clone() : request
  const step = translate((await run(nextRequestOf(body), event)) ?? null)
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

/** Packages take the host and the scheme of their URLs from headers, as they were received. */
function nextRequestOf(request: Request): NextRequest {
  const received = new NextRequest(request)
  const { host, protocol } = new URL(request.url)
  received.headers.set('x-forwarded-host', host)
  received.headers.set('x-forwarded-proto', protocol.slice(0, -1))
  return received
}

const marks = /^x-middleware-/

/** Reads what a proxy wrote for the framework into the headers of its response. */
export function translate(response: Response | null): Step {
  if (response === null) return null
  const target = response.headers.get('x-middleware-rewrite')
  if (target === null && !response.headers.has('x-middleware-next')) return response
  const headers = new Headers([...response.headers].filter(([name]) => !marks.test(name)))
  const given = { headers, requestHeaders: requestHeadersOf(response.headers) }
  return target === null ? next(given) : rewrite(target, given)
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
  for (const [name, value] of added) if (!headers.has(name)) headers.set(name, value)
  const { status, statusText } = response
  return new Response(response.body, { status, statusText, headers })
}

function compileRedirects({ redirects }: ConfigRules): (request: RuleRequest) => Response | null {
  const compiled = redirects.map((rule) => ({ rule, match: compileInApp(rule) }))
  return (request) => {
    for (const { rule, match } of compiled) {
      const params = match(request)
      if (params === null) continue
      const status = 'statusCode' in rule ? rule.statusCode : rule.permanent ? 308 : 307
      const written = { url: request.url, keepsParams: false }
      const path = writeDestination(rule.destination, params, written)
      // A path is one of the app, and a whole URL is not.
      const location = rule.basePath === false ? new URL(path, request.url).href : path
      // As a rule that takes the slash off an address, which has none to begin with, or keeps it.
      if (isSame(location, request.url, rule)) continue
      return new Response(null, { status, headers: { location } })
    }
    return null
  }
}

/** Tells whether a location is the address that was asked for: it would redirect for ever. */
function isSame(location: string, { href, origin }: URL, { basePath }: Rule): boolean {
  const to = new NextURL(location, origin)
  const from = new NextURL(href)
  const bare = ({ pathname }: URL) => pathname.replace(/(.)\/$/, '$1')
  const isOfApp = basePath !== false || to.basePath === from.basePath
  return (
    to.origin === from.origin && isOfApp && bare(to) === bare(from) && to.search === from.search
  )
}

function compileRewrites(
  { rewrites }: ConfigRules,
  patterns: readonly string[],
): (request: RuleRequest) => string | null {
  const pages = patterns.map(compilePage)
  const compiled = (['beforeFiles', 'afterFiles', 'fallback'] as const).map((phase) => ({
    phase,
    rules: rewrites[phase].map((rule: Rewrite) => ({ rule, match: compileInApp(rule) })),
  }))
  return (request) => {
    const { pathname } = request.url
    for (const { phase, rules } of compiled) {
      const hasPage = pages.some(
        (page) => (phase === 'fallback' || page.isStatic) && page.test(pathname),
      )
      if (phase !== 'beforeFiles' && hasPage) return null
      for (const { rule, match } of rules) {
        const params = match(request)
        const written = { url: request.url, keepsParams: true }
        if (params) return writeDestination(rule.destination, params, written)
      }
    }
    return null
  }
}

function isElsewhere(target: string, { url }: Request): boolean {
  return /^https?:\/\//.test(target) && new URL(target).origin !== new URL(url).origin
}

const forwardMs = 30_000
// RFC 9110 §7.6.1, and what the platform's `fetch` has undone.
const ownHeaders = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-encoding',
  'content-length',
]

/** Lets another site respond. */
async function forward(target: string, request: Request, added: Headers): Promise<Response> {
  const headers = new Headers(request.headers)
  for (const name of ['host', ...ownHeaders]) headers.delete(name)
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const response = await fetch(target, {
    method: request.method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(forwardMs)]),
    ...(hasBody ? { body: request.body, duplex: 'half' } : {}),
  } as RequestInit)
  const received = new Headers(response.headers)
  for (const name of ownHeaders) received.delete(name)
  return withHeaders(
    new Response(response.body, { status: response.status, headers: received }),
    added,
  )
}

type Handler = (request: Request, context: unknown) => unknown

/** Gives a route handler a `NextRequest`; what is no function stays as it is. */
export function withNextRequest(handler: unknown): unknown {
  if (typeof handler !== 'function') return handler
  return (request: Request, context: unknown) =>
    (handler as Handler)(nextRequestOf(request), context)
}
