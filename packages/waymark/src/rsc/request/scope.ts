import { AsyncLocalStorage } from 'node:async_hooks'
import type { Cache } from '../../cache/cache.ts'
import type { DependencyTracker, GivenLifetime, Lifetime } from '../../cache/cacheLife.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { frameworkError } from '../../shared/errors.ts'
import type { HeaderLines, RequestHeaders, ServerRequest } from '../../shared/response.ts'
import { createTimings, type Timings } from '../../shared/trace.ts'
import { defaultThemeConfig, type ThemeConfig } from '../../theme/config.ts'
import { type CookieStore, createCookieStore } from './cookies.ts'
import type { Drafts } from './draftMode.ts'

/** What runs for a request: decides which APIs are allowed, and what their use means. */
export type RequestPhase = 'proxy' | 'render' | 'route-handler' | 'action' | 'prerender' | 'after'

/** The URL of the page that is shown: the same for its document and its data. */
export type PageUrl = {
  /** Canonical, still encoded. */
  readonly pathname: string
  /** With its question mark, or empty. */
  readonly search: string
}

/** Whether a response depends on its request, and why: decides static or dynamic at build. */
export type RequestUsage = {
  /** The first thing used, as the build prints it: `cookies()`, `searchParams`. */
  reason: string | null
  /** Called at the first use; in development with the stacks that it has. */
  readonly onDynamic?: ((reason: string, stack?: string) => void) | undefined
}

export type AfterTask = () => unknown

/** What is known of a request from its start on. */
export type RequestContext = {
  /** As the client sent them, before proxy.ts. */
  readonly sentHeaders: RequestHeaders
  readonly theme: ThemeConfig
  readonly cache: Cache | null
  /** Collects the cache dependencies of a page that is rendered for the page cache. */
  readonly life: DependencyTracker | null
  /** Runs calls of cached functions; without it, they run each time. */
  readonly readCached: ReadCached | null
  /** Whether the visitor sees drafts, which are never cached. */
  readonly isDraft: boolean
  /** Seals the value of the cookie that lets a browser see drafts. */
  readonly draftPass: () => string
  /** Of the document that is shown; `undefined` without a policy. Made at the first use. */
  readonly nonce: () => string | undefined
  /** In development only. */
  readonly timings: Timings | null
  /** What runs once the response has been sent. */
  readonly after: {
    readonly tasks: AfterTask[]
    readonly onError: (thrown: unknown) => void
    /** See `ServerRequest`; whatever proxy.ts made of the request. */
    readonly waitUntil: ServerRequest['waitUntil']
  }
}

/** The cookies of a request and its response. */
export type RequestCookies = {
  /** Parsed at the first use. */
  readonly store: () => CookieStore
  /** The `set-cookie` lines so far; parses no cookies for it. */
  readonly lines: () => string[]
  /** Set once the response has its headers: a cookie set now would be lost. */
  isTaken: boolean
}

/** What the public functions read and change during a request. */
export type RequestScope = {
  readonly context: RequestContext
  /** As what runs now shall see it: proxy.ts may have replaced its headers. */
  request: ServerRequest
  url: PageUrl
  phase: RequestPhase
  readonly cookies: RequestCookies
  readonly usage: RequestUsage
  /** The route that responds, once it is known and if there is one. */
  match: { readonly pattern: string } | null
  /** What is rendered or run, from the app folder down; that of the not-found page, too. */
  root: MatchedSegment | null
  /** Tags that were invalidated, in either way; `null` for none. */
  invalidatedTags: Set<string> | null
  /** Of the page that is rendered: makes its status wait for a promise. */
  hold: ((promise: Promise<unknown>) => void) | null
  /** Aborts when the time of the action that runs is over. */
  actionTimeLimit: AbortController | null
  /** Of the action that runs, as they were decoded. */
  actionArguments: readonly unknown[] | null
}

/**
 * What a cached function runs in, in place of the scope of a request: its result is for others,
 * too.
 */
export type CacheScope = {
  readonly phase: 'cache'
  readonly cache: Cache
  readonly readCached: ReadCached
  readonly life: DependencyTracker
  /** Tags that the function has, or gave itself. */
  readonly tags: Set<string>
  /** Keys that are being computed, from the outermost one in. */
  readonly computing: readonly string[]
  /** Tags of the page that it was called for, by its place. */
  readonly readerTags: readonly string[]
  /** By name. */
  readonly lifetimes: Readonly<Record<string, Lifetime>>
  /** What the function said. */
  lifetime: Lifetime | null
}

export type ScopeOptions = Pick<RequestScope, 'request' | 'url' | 'phase'> & {
  readonly onAfterError: (thrown: unknown) => void
  readonly onDynamic?: RequestUsage['onDynamic']
  readonly theme?: ThemeConfig
  readonly cache?: Cache | undefined
  readonly readCached?: ReadCached | undefined
  readonly drafts?: Drafts | undefined
  readonly life?: DependencyTracker | undefined
  readonly createNonce?: (() => string | undefined) | undefined
}

// All else that belongs to a request is passed as an argument.
const storage = new AsyncLocalStorage<RequestScope | CacheScope>()

/**
 * Creates the scope of one request. Functions, no getters: of an object literal with a getter, V8
 * makes a new shape each time, which costs microseconds, and keeps the request until the next
 * collection of everything.
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
      isTaken: false,
    },
    usage: { reason: null, onDynamic },
    match: null,
    root: null,
    invalidatedTags: null,
    hold: null,
    actionTimeLimit: null,
    actionArguments: null,
  }
  return scope
}

function createContext(options: ScopeOptions): RequestContext {
  const { request, phase, drafts, theme = defaultThemeConfig } = options
  const { cache = null, readCached = null, life = null } = options
  const isDraft = phase !== 'prerender' && drafts?.isOn(request) === true
  let nonce: string | undefined
  return {
    sentHeaders: request.headers,
    theme,
    cache,
    life,
    // Cached results are what everybody sees.
    readCached: isDraft ? null : readCached,
    isDraft,
    draftPass() {
      if (!drafts) throw new Error('This app has no keys for drafts.')
      return drafts.pass()
    },
    nonce() {
      nonce ??= options.createNonce?.()
      return nonce
    },
    timings:
      request.timings ?? (import.meta.env?.DEV && phase === 'render' ? createTimings() : null),
    after: { tasks: [], onError: options.onAfterError, waitUntil: request.waitUntil },
  }
}

/**
 * Goes on after proxy.ts, with the request as it left it. Cookies set so far stay set.
 */
export function advanceScope(
  scope: RequestScope,
  { request, url, phase }: Pick<RequestScope, 'request' | 'url' | 'phase'>,
): void {
  const isReplaced = request.headers !== scope.request.headers
  Object.assign(scope, { request, url, phase })
  if (isReplaced) scope.cookies.store().reread(request.headers.get('cookie'))
}

/**
 * Creates a scope for what proxy.ts is asked about another page: cookies that it sets are lost, and
 * nothing else that runs for the request sees them.
 */
export function forkScope(
  scope: RequestScope,
  { request, url, phase }: Pick<RequestScope, 'request' | 'url' | 'phase'>,
): RequestScope {
  const { onError } = scope.context.after
  const { cookies } = createScope({ request, url, phase, onAfterError: onError })
  return { ...scope, request, url, phase, cookies }
}

/** Runs a function, and all that it starts, for a request. */
export function runInScope<T>(scope: RequestScope | CacheScope, run: () => T): T {
  return storage.run(scope, run)
}

/**
 * The scope of the request that the caller runs for.
 * @param api the public function that asks, as its user writes it
 * @throws `OUTSIDE_REQUEST`, `REQUEST_IN_CACHE`
 */
export function currentScope(api: string): RequestScope {
  const scope = storage.getStore()
  if (!scope) throw frameworkError('OUTSIDE_REQUEST', { api })
  if (scope.phase === 'cache') throw frameworkError('REQUEST_IN_CACHE', { api })
  return scope
}

/** The scope that the caller runs in; `null` outside of any. */
export function findScope(): RequestScope | CacheScope | null {
  return storage.getStore() ?? null
}

/**
 * The header lines that the cookies written for a request add to its response. From now on, setting
 * one is an error.
 * @returns lines at the first call, nothing afterwards
 */
export function responseHeaders(scope: RequestScope): HeaderLines {
  if (scope.cookies.isTaken) return []
  scope.cookies.isTaken = true
  return scope.cookies.lines().map((line) => ['set-cookie', line])
}

function assertWritable(scope: RequestScope, name: string): void {
  const why = scope.cookies.isTaken ? 'after the response has begun' : readOnlyPhases[scope.phase]
  if (why) throw frameworkError('COOKIES_READ_ONLY', { name, why })
}

const readOnlyPhases: Readonly<Record<RequestPhase, string | null>> = {
  proxy: null,
  action: null,
  'route-handler': null,
  render: 'while a page renders',
  prerender: 'while a page is rendered at build',
  after: 'after the response was sent',
}

/** A call of a cached function. */
export type CachedCall = {
  /** Names the function, and the code it had. */
  readonly id: string
  /** Whether its cached results outlive a build. */
  readonly outlivesBuild: boolean
  readonly run: (...args: unknown[]) => unknown
  readonly args: readonly unknown[]
  readonly tags: readonly string[]
  /** `null` leaves it to `cacheLife()` and to what it uses. */
  readonly lifetime: GivenLifetime | null
}

/** Who calls: a request, or another cached function. */
export type CallReader = {
  /** Collects the dependencies of a caller that is cached itself. */
  readonly life: DependencyTracker | null
  /** Keys that are being computed around the call. */
  readonly computing?: readonly string[]
  /** Tags of the page that it is made for, by its place: what they end is computed again. */
  readonly readerTags?: readonly string[]
  /** Of a request. */
  readonly request?: { readonly headers: { get(name: string): string | null } }
}

/** Reads the result of a call from the cache, or computes it. */
export type ReadCached = (call: CachedCall, reader: CallReader) => Promise<unknown>
