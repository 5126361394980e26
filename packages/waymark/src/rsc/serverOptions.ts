import type { LoadShedding } from '../builds/builtServer.ts'
import type { CacheDriver } from '../cache/cacheDriver.ts'
import type { Handle, HandlerResponse, ServerRequest } from '../http/response.ts'
import { cancelBody, fromResponse, isResponse, responseProblem, toResponse } from '../http/web.ts'
import type { JournalDriver } from '../journal/journalDriver.ts'
import { frameworkError } from '../shared/errors.ts'
import { followingRequest, translated } from './proxy/proxy.ts'
import { limitBody, toWebRequest } from './request/readBody.ts'
import type { PageTarget } from './request/readRequest.ts'
import { markPerRequest } from './request/requestDependence.ts'
import type { RequestScope } from './request/scope.ts'
import type { ReadUser } from './request/userSeals.ts'
import { asPrivate, withCachingOf } from './security/cachePolicy.ts'

/** The default export of an app's `server.ts`: its storage drivers, `around` and limits. */
export type ServerOptions = {
  /** Opens the cache. Called once in each process that serves the app. Default: a cache in files. */
  readonly cache?: () => CacheDriver | Promise<CacheDriver>
  /** Opens the journal of errors. Called once in each process that serves the app. */
  readonly journal?: () => JournalDriver | Promise<JournalDriver>
  /**
   * Wraps each request. Responses become `private` unless the app or the wrapper sets a different
   * `cache-control`. If the wrapper doesn't change responses per request, set `observes`, so that
   * they stay cacheable for everybody.
   */
  readonly around?: AroundRequest | ObservingAround
  /**
   * Returns the id of the signed-in user, from the cookies or headers of the current request. An action is refused if a
   * different user has signed in since its page was rendered.
   */
  readonly user?: ReadUser
  /**
   * Maximum number of documents that a process renders at the same time. Further requests get a 503
   * with `retry-after`.
   */
  readonly maxDocuments?: number
  /**
   * Limits for an overloaded server: more requests get a 503 with `retry-after`. `false` lets all
   * requests wait.
   */
  readonly loadShedding?: LoadShedding | false
}

/**
 * Runs around each request for a page, its data, a route handler or an action.
 * @param request has the page's URL, even if the browser requested only the page's data
 * @param handle runs the app, including `proxy.ts`. Never rejects, because failures become
 * responses
 * @returns the response from `handle`, whose headers you may change, or a new response
 */
export type AroundRequest = (
  request: Request,
  handle: () => Promise<Response>,
) => Response | Promise<Response>

/** An `around` that doesn't change responses per request, so that they stay cacheable for everybody. */
export type ObservingAround = {
  readonly observes: true
  /** Must return the response from `handle()` with the same status. It may set headers. */
  readonly run: AroundRequest
}

export type AppAround = {
  readonly run: AroundRequest
  readonly observes: boolean
}

export type AppServer = {
  readonly openCache: (() => Promise<CacheDriver>) | null
  readonly openJournal: (() => Promise<JournalDriver>) | null
  readonly around: AppAround | null
  readonly readUser: ReadUser | null
  readonly maxDocuments: number | null
  readonly loadShedding: LoadShedding | false
}

const driverMethods = {
  cache: ['get', 'set', 'delete', 'invalidate', 'position', 'onInvalidated', 'lease'],
  journal: ['write', 'list', 'groups', 'find', 'counts', 'flush'],
} as const

/** Reads the options from server.ts. @param module `null` if the app has no server.ts @throws `SERVER_EXPORT` */
export function readServerOptions(module: Readonly<Record<string, unknown>> | null): AppServer {
  const options = module === null ? {} : module.default
  if (typeof options !== 'object' || options === null) {
    throw frameworkError('SERVER_EXPORT', { reason: 'its default export is not an object' })
  }
  const { cache, journal, around, user, maxDocuments = null, ...rest } = options as ServerOptions
  const { loadShedding = {}, ...others } = rest
  for (const name of Object.keys(others)) {
    throw frameworkError('SERVER_EXPORT', { reason: `it has an unknown option, ${name}` })
  }
  for (const [name, value] of Object.entries({ cache, journal, user })) {
    if (value === undefined || typeof value === 'function') continue
    throw frameworkError('SERVER_EXPORT', { reason: `its ${name} is not a function` })
  }
  if (maxDocuments !== null && !(Number.isInteger(maxDocuments) && maxDocuments > 0)) {
    throw frameworkError('SERVER_EXPORT', {
      reason: 'its maxDocuments is not a whole number above 0',
    })
  }
  return {
    maxDocuments,
    loadShedding: readLoadShedding(loadShedding),
    openCache: opener('cache', cache),
    openJournal: opener('journal', journal),
    around: around === undefined ? null : readAround(around),
    readUser: user ?? null,
  }
}

/** Validates `loadShedding`. @throws `SERVER_EXPORT` */
function readLoadShedding(loadShedding: unknown): LoadShedding | false {
  if (loadShedding === false) return false
  if (typeof loadShedding !== 'object' || loadShedding === null) {
    throw frameworkError('SERVER_EXPORT', {
      reason: 'its loadShedding is neither false nor an object',
    })
  }
  for (const [name, value] of Object.entries(loadShedding)) {
    if (name !== 'maxQueueMs' && name !== 'maxQueued') {
      throw frameworkError('SERVER_EXPORT', {
        reason: `its loadShedding has an unknown option, ${name}`,
      })
    }
    if (value !== undefined && !(Number.isInteger(value) && value > 0)) {
      throw frameworkError('SERVER_EXPORT', {
        reason: `the ${name} of its loadShedding is not a whole number above 0`,
      })
    }
  }
  return loadShedding
}

/**
 * Joins the wrappers of an app and of its packages into one.
 * @param arounds the outermost first
 * @returns a wrapper that has `observes: true` if all wrappers have it; `null` for an empty list
 */
export function joinArounds(arounds: readonly AppAround[]): AppAround | null {
  const [outer, ...others] = arounds
  if (!outer) return null
  const inner = joinArounds(others)
  if (!inner) return outer
  return {
    observes: outer.observes && inner.observes,
    run(request, handle) {
      let response: Promise<Response> | null = null
      return outer.run(request, () => (response ??= Promise.resolve(inner.run(request, handle))))
    },
  }
}

/** Validates `around`. @throws `SERVER_EXPORT` */
export function readAround(around: unknown): AppAround {
  if (typeof around === 'function') return { run: around as AroundRequest, observes: false }
  if (typeof around !== 'object' || around === null) {
    throw frameworkError('SERVER_EXPORT', {
      reason: 'its around is neither a function nor an object with run and observes',
    })
  }
  const { run, observes, ...others } = around as Readonly<Record<string, unknown>>
  const [unknownName] = Object.keys(others)
  if (unknownName !== undefined) {
    throw frameworkError('SERVER_EXPORT', {
      reason: `its around has an unknown option, ${unknownName}`,
    })
  }
  if (typeof run !== 'function') {
    throw frameworkError('SERVER_EXPORT', { reason: 'the run of its around is not a function' })
  }
  if (observes !== true) {
    throw frameworkError('SERVER_EXPORT', {
      reason:
        'its around is an object without observes: true; if it decides about requests, export the function itself',
    })
  }
  return { run: run as AroundRequest, observes }
}

function opener<Driver extends object>(
  name: keyof typeof driverMethods,
  open: (() => Driver | Promise<Driver>) | undefined,
): (() => Promise<Driver>) | null {
  if (open === undefined) return null
  return async () => {
    const driver = await open()
    const missing = [...driverMethods[name], 'close'].filter(
      (method) => typeof (driver as Record<string, unknown> | undefined)?.[method] !== 'function',
    )
    if (missing.length > 0) throw frameworkError('SERVER_DRIVER', { name, missing })
    return driver
  }
}

export type WrappedRequest = {
  readonly around: AppAround
  readonly address: PageTarget
  readonly request: ServerRequest
  readonly scope: RequestScope
  readonly buildId: string
  /** Milliseconds that `around` itself may take, before and after the app's work. */
  readonly deadlineMs: number
  readonly respond: Handle
}

/**
 * Runs `around` with a request. During prerendering, `around` only provides its context, such as an
 * `AsyncLocalStorage`: the build stores the app's own response.
 * @throws `SERVER_AROUND`, and errors from `around`
 */
export async function respondAround(wrapped: WrappedRequest): Promise<HandlerResponse> {
  const { around, address, request, scope, respond } = wrapped
  const { pathname } = address
  const isPrerender = scope.phase === 'prerender'
  if (!around.observes) markPerRequest(scope, 'around() of server.ts')
  const source = request.toRequest()
  const web = limitBody(toWebRequest(request, { path: pathname + address.search, source }))
  const time = createDeadline(wrapped.deadlineMs, pathname)
  // TypeScript doesn't see that a closure assigns the variable, so cast.
  let handling = null as Promise<Handled> | null

  async function run(): Promise<Handled> {
    if (web.bodyUsed) {
      throw problem(pathname, 'it read the body before it called handle(); read request.clone()')
    }
    time.stop()
    // A body can be read only once, so pass on the same Request if it has one.
    const sent = await respond(web.body === null ? request : followingRequest(request, web, null))
    time.start()
    const isByApp = scope.phase === 'route-handler' || scope.phase === 'proxy'
    // Show `around()` the cache policy that will be sent if `around()` doesn't change it.
    const appResponse = isPrerender || around.observes || isByApp ? sent : asPrivate(sent)
    const response = asResponse(appResponse, isPrerender)
    return { appResponse, response, body: response.body }
  }

  const handle = async () => {
    handling ??= run()
    return (await handling).response
  }

  try {
    const response = await Promise.race([around.run(web, handle), time.over])
    if (isPrerender) return handling ? (await handling).appResponse : await respond(request)
    if (!isResponse(response)) throw problem(pathname, 'it did not return a Response')
    const handled = await handling
    if (handled && isSame(response, handled)) {
      if (around.observes && response.status !== handled.appResponse.status) {
        throw problem(
          pathname,
          `it has observes: true, but changed the status to ${response.status}`,
        )
      }
      return withCachingOf(handled.appResponse, response)
    }
    if (around.observes) {
      throw problem(
        pathname,
        'it has observes: true, but did not return the Response from handle()',
      )
    }
    if (handled && response !== handled.response) cancelBody(handled.response)
    const reason = responseProblem(response)
    if (reason) throw problem(pathname, reason)
    // The app wrote this response for this request, as proxy.ts does, so treat it the same way.
    scope.phase = 'proxy'
    return translated(fromResponse(response), address.kind, { request, buildId: wrapped.buildId })
  } catch (thrown) {
    void handling
      ?.then(({ response }) => cancelBody(response))
      .catch(() => {
        // Ignore the app's failure: `around()` caused it with its own error, which is thrown below.
      })
    throw thrown
  } finally {
    time.end()
  }
}

type Handled = {
  readonly appResponse: HandlerResponse
  readonly response: Response
  readonly body: Response['body']
}

function asResponse(appResponse: HandlerResponse, isPrerender: boolean): Response {
  // True if the body is sent from a file or from the page cache.
  const isStored = isPrerender || appResponse.prerendered !== undefined
  return toResponse(isStored ? { ...appResponse, body: noPieces } : appResponse)
}

const noPieces: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} }

/** True if the app's own response can be sent, with the headers of the Response from `around`. */
function isSame(response: Response, handled: Handled): boolean {
  if (response.bodyUsed) return false
  const { appResponse, body } = handled
  if (response !== handled.response && (body === null || response.body !== body)) return false
  // If a Response was cloned, its stream is locked, and only the clone can be sent. A body that
  // isn't a stream is still complete.
  const isStream = typeof appResponse.body === 'object' && !(appResponse.body instanceof Uint8Array)
  return !isStream || body?.locked !== true
}

function problem(pathname: string, reason: string) {
  return frameworkError('SERVER_AROUND', { pathname, reason })
}

function createDeadline(ms: number, pathname: string) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false
  let fail: (thrown: unknown) => void = () => {}
  const over = new Promise<never>((_, reject) => {
    fail = reject
  })
  const stop = () => clearTimeout(timer)
  const start = () => {
    if (hasEnded) return
    timer = setTimeout(() => fail(problem(pathname, `it took longer than ${ms} ms`)), ms)
  }
  const end = () => {
    hasEnded = true
    stop()
  }
  start()
  return { over, start, stop, end }
}
