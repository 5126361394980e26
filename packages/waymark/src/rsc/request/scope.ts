import { AsyncLocalStorage } from 'node:async_hooks'
import type { Cache } from '../../cache/cache.ts'
import type { DependencyTracker, Lifetime, LifetimeOptions } from '../../cache/cacheLife.ts'
import type { HeaderLines, RequestHeaders, ServerRequest } from '../../http/response.ts'
import { toServerRequest } from '../../http/web.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { english, type ScreenLocale } from '../../screens/screenTexts.ts'
import { frameworkError } from '../../shared/errors.ts'
import { defaultThemeConfig, type ThemeConfig } from '../../theme/config.ts'
import { createTimings, type Timings, tracedTimings } from '../../wire/trace.ts'
import { type CookieStore, createCookieStore } from './cookies.ts'
import type { Drafts } from './draftMode.ts'
import { anonymousRequest } from './readRequest.ts'
import type { ServerObserver } from './serverObserver.ts'
import type { UserSeals } from './userSeals.ts'

/**
 * The kind of code that is running for a request. Only `proxy`, `route-handler` and `action` can
 * set cookies.
 */
export type RequestPhase = 'proxy' | 'render' | 'route-handler' | 'action' | 'prerender' | 'after'

/** A page's URL, which is the same for its document and its page data. */
export type PageUrl = {
  readonly pathname: string
  readonly search: string
}

export type RequestUsage = {
  /**
   * The first API that read the request, in the form that the build prints, such as `cookies()` or
   * `searchParams`.
   */
  reason: string | null
  /** Called when such an API is first used. Gets the stack in development. */
  readonly onDynamic?: ((reason: string, stack?: string) => void) | undefined
}

/** A task that runs after the response. It may return a promise. */
export type AfterTask = () => unknown

export type RequestContext = {
  /** The headers that the client sent, before proxy.ts changed them. */
  readonly sentHeaders: RequestHeaders
  readonly theme: ThemeConfig
  /** Returns the built-in texts in the language that `screens.ts` chooses for the request. */
  readonly locale: () => ScreenLocale
  readonly cache: Cache | null
  /** Collects everything on which the page's cache entry depends. */
  readonly life: DependencyTracker | null
  /** Runs calls to cached functions. If `null`, each call runs uncached. */
  readCached: ReadCached | null
  isDraft: boolean
  readonly draftPass: () => string
  /** Encrypts users' ids; `null` if server.ts has no `user()`. */
  readonly users: UserSeals | null
  /**
   * Returns the nonce of the document in the browser, which is created on first use. Returns
   * `undefined` without a content security policy.
   */
  readonly nonce: () => string | undefined
  readonly timings: Timings | null
  readonly observer: ServerObserver | null
  readonly after: {
    readonly tasks: AfterTask[]
    readonly onError: (thrown: unknown) => string
    readonly waitUntil: ServerRequest['waitUntil']
  }
}

export type RequestCookies = {
  /** Returns the cookies. The first call parses them. */
  readonly store: () => CookieStore
  /**
   * Returns the `set-cookie` lines of the cookies that were set so far. Doesn't parse the request's
   * cookies.
   */
  readonly lines: () => string[]
  /** True once the response has its headers. A cookie that is set later would be lost. */
  isSent: boolean
}

export type RequestScope = {
  readonly context: RequestContext
  request: ServerRequest
  url: PageUrl
  phase: RequestPhase
  readonly cookies: RequestCookies
  readonly usage: RequestUsage
  match: { readonly pattern: string } | null
  /** The root segment that is rendered, even for a not-found page. */
  root: MatchedSegment | null
  invalidatedTags: Set<string> | null
  /** Makes the page's status wait for a promise; `null` if no page is being rendered. */
  delayStatus: ((promise: Promise<unknown>) => void) | null
  /** Aborts when the running action exceeds its time limit. */
  actionTimeLimit: AbortController | null
  /** The called action, set when its arguments are decoded. `key` is set before the action runs. */
  action: { readonly id: string; readonly args: readonly unknown[]; key: string | null } | null
  /** Encrypted id of the user for whom the page is rendered. The page's forms contain it. */
  sealedUser: string | null
}

/**
 * Replaces the request's scope inside a cached function, because other requests share the result.
 */
export type CacheScope = {
  readonly phase: 'cache'
  readonly cache: Cache
  readonly readCached: ReadCached
  readonly life: DependencyTracker
  readonly tags: Set<string>
  /** Keys of the results that are being computed, outermost first. */
  readonly computing: readonly string[]
  /** Tags for the path of the page that calls the function. */
  readonly readerTags: readonly string[]
  readonly lifetimes: Readonly<Record<string, Lifetime>>
  lifetime: Lifetime | null
}

export type ScopeOptions = Pick<RequestScope, 'request' | 'url' | 'phase'> & {
  /** Reports an error in a task of `after()`. @returns the error's digest */
  readonly onAfterError: (thrown: unknown) => string
  readonly onDynamic?: RequestUsage['onDynamic']
  readonly theme?: ThemeConfig
  readonly locale?: (() => ScreenLocale) | undefined
  readonly cache?: Cache | undefined
  readonly readCached?: ReadCached | undefined
  readonly drafts?: Drafts | undefined
  readonly users?: UserSeals | null | undefined
  readonly life?: DependencyTracker | undefined
  readonly observer?: ServerObserver | null | undefined
  readonly createNonce?: (() => string | undefined) | undefined
}

// Storage in which app code finds its request. Waymark's own code passes everything as arguments.
const storage = new AsyncLocalStorage<RequestScope | CacheScope>()

/**
 * Creates a scope. Some of its values are functions: getters would cost microseconds and keep the
 * request in memory.
 */
export function createScope(options: ScopeOptions): RequestScope {
  const { request, url, phase, onDynamic } = options
  let store: CookieStore | undefined
  const scope: RequestScope = {
    context: createContext(options),
    request,
    url,
    phase,
    cookies: {
      store() {
        store ??= createCookieStore(scope.request.headers.get('cookie'), (name) =>
          assertWritable(scope, name),
        )
        return store
      },
      lines: () => store?.setCookies() ?? [],
      isSent: false,
    },
    usage: { reason: null, onDynamic },
    match: null,
    root: null,
    invalidatedTags: null,
    delayStatus: null,
    actionTimeLimit: null,
    action: null,
    sealedUser: null,
  }
  return scope
}

function createContext(options: ScopeOptions): RequestContext {
  const { request, phase, drafts, theme = defaultThemeConfig } = options
  const { cache = null, readCached = null, life = null, users = null, observer = null } = options
  const { locale = () => english } = options
  const isDraft = phase !== 'prerender' && drafts?.isOn(request) === true
  let nonce: string | undefined
  return {
    sentHeaders: request.headers,
    theme,
    locale,
    cache,
    life,
    // All visitors share cached results, so bypass them in draft mode.
    readCached: isDraft ? null : readCached,
    isDraft,
    users,
    draftPass() {
      if (!drafts) throw new Error('This app has no keys for drafts.')
      return drafts.pass()
    },
    nonce() {
      nonce ??= options.createNonce?.()
      return nonce
    },
    timings: timingsFor(options),
    observer,
    after: { tasks: [], onError: options.onAfterError, waitUntil: request.waitUntil },
  }
}

function timingsFor({ request, phase }: ScopeOptions): Timings | null {
  if (!import.meta.env?.DEV) return request.timings ?? null
  // Use the request's own timings if it has any. The server has its own instance of the trace
  // module.
  const timings = request.timings ?? (phase === 'render' ? createTimings() : null)
  return timings && tracedTimings(timings)
}

/**
 * After proxy.ts, continues with the request that proxy.ts has changed. Cookies that were set
 * before remain.
 */
export function advanceScope(
  scope: RequestScope,
  { request, url, phase }: Pick<RequestScope, 'request' | 'url' | 'phase'>,
): void {
  const isReplaced = request.headers !== scope.request.headers
  Object.assign(scope, { request, url, phase })
  if (isReplaced) scope.cookies.store().reread(request.headers.get('cookie'))
}

/** In development, hides the request from a page or route that will be static in production. */
export function forgetRequest(scope: RequestScope): ServerRequest {
  const request = { ...anonymousRequest(scope.url.pathname), method: scope.request.method }
  advanceScope(scope, { request, url: { ...scope.url, search: '' }, phase: scope.phase })
  return request
}

/**
 * Creates a scope in which proxy.ts decides about a different page. Cookies that it sets there are
 * discarded.
 */
export function forkScope(
  scope: RequestScope,
  { request, url, phase }: Pick<RequestScope, 'request' | 'url' | 'phase'>,
): RequestScope {
  const { onError } = scope.context.after
  const { cookies } = createScope({ request, url, phase, onAfterError: onError })
  return { ...scope, request, url, phase, cookies }
}

/**
 * Runs app code with a different request: `headers()` and `cookies()` read `request`. Cookies and
 * tasks that the code adds are discarded. Just calls `run` if there is no current request.
 */
export function runWithRequest<T>(request: Request, run: () => T): T {
  const scope = storage.getStore()
  if (!scope || scope.phase === 'cache') return run()
  const { url, phase, context } = scope
  const fork = forkScope(scope, { request: toServerRequest(request), url, phase })
  const after = { ...context.after, tasks: [], waitUntil: undefined }
  return storage.run({ ...fork, context: { ...context, after } }, run)
}

export function runInScope<T>(scope: RequestScope | CacheScope, run: () => T): T {
  return storage.run(scope, run)
}

/** Returns the scope of the current request. @throws `OUTSIDE_REQUEST`, `REQUEST_IN_CACHE` */
export function currentScope(api: string): RequestScope {
  const scope = storage.getStore()
  if (!scope) throw frameworkError('OUTSIDE_REQUEST', { api })
  if (scope.phase === 'cache') throw frameworkError('REQUEST_IN_CACHE', { api })
  return scope
}

export function findScope(): RequestScope | CacheScope | null {
  return storage.getStore() ?? null
}

/**
 * Returns the response's `set-cookie` lines on the first call. Afterwards, setting a cookie throws.
 */
export function responseHeaders(scope: RequestScope): HeaderLines {
  if (scope.cookies.isSent) return []
  scope.cookies.isSent = true
  return scope.cookies.lines().map((line) => ['set-cookie', line])
}

function assertWritable(scope: RequestScope, name: string): void {
  const why = scope.cookies.isSent ? 'after the response has begun' : readOnlyPhases[scope.phase]
  if (why) throw frameworkError('COOKIES_READ_ONLY', { name, why })
}

const readOnlyPhases: Readonly<Record<RequestPhase, string | null>> = {
  proxy: null,
  action: null,
  'route-handler': null,
  render: 'while a page renders',
  prerender: 'while a page is rendered at build time',
  after: 'after the response was sent',
}

export type CachedCall = {
  readonly id: string
  /** True if cached results remain valid in a new build. */
  readonly outlivesBuild: boolean
  readonly run: (...args: unknown[]) => unknown
  readonly args: readonly unknown[]
  readonly tags: readonly string[]
  /**
   * Lifetime of the result. `null` if `cacheLife()` and the cached results that the function uses
   * decide.
   */
  readonly lifetime: LifetimeOptions | null
}

export type CallReader = {
  readonly life: DependencyTracker | null
  /** Keys of the results that are being computed, and for which this call is made. */
  readonly computing?: readonly string[]
  /**
   * Tags of the calling page. If one of these tags was invalidated after a result was stored, the
   * result is computed again.
   */
  readonly readerTags?: readonly string[]
  readonly request?: { readonly headers: { get(name: string): string | null } }
}

export type ReadCached = (call: CachedCall, reader: CallReader) => Promise<unknown>
