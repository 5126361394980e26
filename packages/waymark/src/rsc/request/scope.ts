import { AsyncLocalStorage } from 'node:async_hooks'
import type { Cache } from '../../cache/cache.ts'
import type { DependencyTracker, GivenLifetime, Lifetime } from '../../cache/cacheLife.ts'
import { frameworkError } from '../../shared/errors.ts'
import type { HeaderLines, RequestHeaders, ServerRequest } from '../../shared/response.ts'
import { defaultThemeConfig, type ThemeConfig } from '../../theme/config.ts'
import { type CookieStore, createCookieStore } from './cookies.ts'
import type { Drafts } from './draftMode.ts'
import { type ReadonlyHeaders, toReadonlyHeaders } from './headers.ts'

/** What is running for a request: decides what may be written, and what a use of it means. */
export type RequestPhase = 'proxy' | 'render' | 'route-handler' | 'action' | 'prerender' | 'after'

/** The URL of the page that is shown: the same for its document and its data. */
export type PageUrl = {
  /** Canonical, still encoded. */
  readonly pathname: string
  /** With its question mark, or empty. */
  readonly search: string
}

/** Whether an answer depends on its request, and by what: decides static or dynamic at build. */
export type RequestUsage = {
  /** The first thing used, as the build prints it: `cookies()`, `searchParams`. */
  reason: string | null
  /** Called at the first use. */
  readonly onDynamic?: ((reason: string) => void) | undefined
}

/** Something to run once the answer has been sent. */
export type AfterTask = () => unknown

/** All that the public functions know about the request they run for. */
export type RequestScope = {
  /** As what runs now shall see it: proxy.ts may have replaced its headers. */
  request: ServerRequest
  /** As the client sent them. */
  readonly sentHeaders: RequestHeaders
  url: PageUrl
  /** The handler moves it on as the answer comes into being. */
  phase: RequestPhase
  /** Copied at the first use. */
  headers(): ReadonlyHeaders
  /** Parsed at the first use. */
  cookieStore(): CookieStore
  /** The cookies written so far, without parsing any for it. */
  setCookies(): string[]
  /** The route that answers, once it is known and if there is one. */
  match: { readonly pattern: string } | null
  readonly usage: RequestUsage
  readonly theme: ThemeConfig
  /** The app's. */
  readonly cache: Cache | null
  /** Of a page that is rendered to be kept: hears of all that it reads of the cache. */
  readonly life: DependencyTracker | null
  /** Answers calls of cached functions; without it, they run each time. */
  readonly readCached: ReadCached | null
  /** Whether the visitor sees drafts, which are never kept. */
  readonly isDraft: boolean
  /** Makes what a browser shows to see drafts. */
  readonly draftPass: () => string
  /** Tags that were invalidated, in either way; `null` for none. */
  invalidatedTags: Set<string> | null
  /** Of the document that is shown; `undefined` where its policy has none. Made at the first use. */
  nonce(): string | undefined
  /** Tasks that wait for the answer to be sent. */
  readonly afterTasks: AfterTask[]
  /** See `ServerRequest`; whatever proxy.ts made of the request. */
  readonly waitUntil: ServerRequest['waitUntil']
  /** Hears of what an `after` task threw. */
  readonly onAfterError: (thrown: unknown) => void
  /** Of the page that is rendered: makes its status wait for a promise. */
  hold: ((promise: Promise<unknown>) => void) | null
  /** The action that runs. */
  action: RunningAction | null
  /** In development only. */
  readonly timings: Timings | null
  /** Set once the answer's headers are made: a cookie set now would be lost. */
  areCookiesTaken: boolean
}

/** What an action's own code can ask for. */
export type RunningAction = {
  /** Aborts when its time is over. */
  readonly signal: () => AbortSignal
}

/**
 * What a cached function runs in, in place of the scope of a request: its result is for others,
 * too.
 */
export type CacheScope = {
  readonly phase: 'cache'
  readonly waitUntil?: undefined
  readonly cache: Cache
  readonly readCached: ReadCached
  readonly life: DependencyTracker
  /** Tags that the function has, or gave itself. */
  readonly tags: Set<string>
  /** Keys that are being computed, from the outermost one in. */
  readonly computing: readonly string[]
  /** By name. */
  readonly lifetimes: Readonly<Record<string, Lifetime>>
  /** What the function said. */
  lifetime: Lifetime | null
}

/** What a scope is made of. */
export type ScopeOptions = Pick<RequestScope, 'request' | 'url' | 'phase' | 'onAfterError'> & {
  readonly onDynamic?: RequestUsage['onDynamic']
  readonly theme?: ThemeConfig
  readonly cache?: Cache | undefined
  readonly readCached?: ReadCached | undefined
  readonly drafts?: Drafts | undefined
  readonly life?: DependencyTracker | undefined
  readonly createNonce?: (() => string | undefined) | undefined
}

// The only one: everything else that belongs to a request is passed as an argument.
const storage = new AsyncLocalStorage<RequestScope | CacheScope>()

/**
 * Makes the scope of one request. Functions, no getters: of an object literal with a getter, V8
 * makes a new shape each time, which costs microseconds, and keeps the request until the next
 * collection of everything.
 */
export function createScope(options: ScopeOptions): RequestScope {
  const { request, url, phase, onAfterError, onDynamic, theme = defaultThemeConfig } = options
  const { cache = null, readCached = null, life = null, drafts } = options
  const isDraft = phase !== 'prerender' && drafts?.isOn(request) === true
  let copied: { request: ServerRequest; headers: ReadonlyHeaders } | undefined
  let store: CookieStore | undefined
  let nonce: string | undefined
  const scope: RequestScope = {
    request,
    sentHeaders: request.headers,
    url,
    phase,
    onAfterError,
    match: null,
    usage: { reason: null, onDynamic },
    theme,
    cache,
    life,
    // What is cached is what everybody sees.
    readCached: isDraft ? null : readCached,
    isDraft,
    draftPass: () => {
      if (!drafts) throw new Error('This app has no keys for drafts.')
      return drafts.pass()
    },
    invalidatedTags: null,
    afterTasks: [],
    waitUntil: request.waitUntil,
    hold: null,
    action: null,
    timings: import.meta.env?.DEV && phase === 'render' ? createTimings() : null,
    areCookiesTaken: false,
    nonce() {
      nonce ??= options.createNonce?.()
      return nonce
    },
    headers() {
      const { request } = scope
      if (copied?.request !== request) {
        copied = { request, headers: toReadonlyHeaders(request.headers) }
      }
      return copied.headers
    },
    setCookies: () => store?.setCookies() ?? [],
    cookieStore() {
      store ??= createCookieStore(scope.request.headers.get('cookie'), (name) =>
        assertWritable(scope, name),
      )
      return store
    },
  }
  return scope
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
  if (isReplaced) scope.cookieStore().reread(request.headers.get('cookie'))
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

/** The scope that the caller runs in, if any. */
export function findScope(): RequestScope | CacheScope | null {
  return storage.getStore() ?? null
}

/**
 * The header lines that the cookies written for a request add to its answer. From now on, setting
 * one is an error.
 * @returns lines at the first call, nothing afterwards
 */
export function responseHeaders(scope: RequestScope): HeaderLines {
  if (scope.areCookiesTaken) return []
  scope.areCookiesTaken = true
  return scope.setCookies().map((line) => ['set-cookie', line])
}

function assertWritable(scope: RequestScope, name: string): void {
  const why = scope.areCookiesTaken ? 'after the answer has begun' : readOnlyPhases[scope.phase]
  if (why) throw frameworkError('COOKIES_READ_ONLY', { name, why })
}

const readOnlyPhases: Readonly<Record<RequestPhase, string | null>> = {
  proxy: null,
  action: null,
  'route-handler': null,
  render: 'while a page renders',
  prerender: 'while a page is rendered at build',
  after: 'after the answer has been sent',
}

/** What takes its time while a request is answered. */
export type TimedStep = 'proxy' | 'match' | 'render' | 'html'

/** Times of one request, in development. */
export type Timings = {
  /** @returns ends the step; steps of one name are added up */
  start(step: TimedStep): () => void
  /** The value of a `Server-Timing` header: what has ended so far, and the whole. */
  header(): string
}

/**
 * Makes the times of a request that begins now.
 * @param now milliseconds, of a clock that is not set back
 * @see W3C Server Timing §3.2
 */
export function createTimings(now: () => number = () => performance.now()): Timings {
  const beganAtMs = now()
  const durations = new Map<string, number>()
  return {
    start(step) {
      const startedAtMs = now()
      return () => durations.set(step, (durations.get(step) ?? 0) + now() - startedAtMs)
    },
    header() {
      const all = [...durations, ['total', now() - beganAtMs] as const]
      return all.map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`).join(', ')
    },
  }
}

/** A call of a function whose results are kept. */
export type CachedCall = {
  /** Names the function, and the code it had. */
  readonly id: string
  /** Whether what is kept outlives a build. */
  readonly outlivesBuild: boolean
  readonly run: (...args: unknown[]) => unknown
  readonly args: readonly unknown[]
  readonly tags: readonly string[]
  /** `null` leaves it to `cacheLife()` and to what it uses. */
  readonly lifetime: GivenLifetime | null
}

/** Who calls: a request, or another cached function. */
export type CallReader = {
  /** Of what is itself kept: hears of all that it reads. */
  readonly life: DependencyTracker | null
  /** Keys that are being computed around the call. */
  readonly computing?: readonly string[]
  /** Of a request. */
  readonly request?: { readonly headers: { get(name: string): string | null } }
}

/** Answers a call from the cache, or computes it. */
export type ReadCached = (call: CachedCall, reader: CallReader) => Promise<unknown>
