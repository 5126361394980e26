import type { CacheDriver } from '../cache/cacheDriver.ts'
import type { JournalDriver } from '../journal/journalDriver.ts'
import { frameworkError } from '../shared/errors.ts'
import type { Handle, HandlerResponse, ServerRequest } from '../shared/response.ts'
import { cancelBody, fromResponse, isResponse, responseProblem, toResponse } from '../shared/web.ts'
import { followingRequest, translated } from './proxy/proxy.ts'
import { toWebRequest, watchBody } from './request/readBody.ts'
import type { PageTarget } from './request/readRequest.ts'
import type { RequestScope } from './request/scope.ts'

/** What an app's `server.ts` exports as default: its own stores, and what it wraps requests in. */
export type ServerOptions = {
  /** Opens the cache, once for each process that serves the app. Default: files. */
  readonly cache?: () => CacheDriver | Promise<CacheDriver>
  /** Opens the journal of errors, likewise. */
  readonly journal?: () => JournalDriver | Promise<JournalDriver>
  readonly around?: AroundRequest
  /** Documents rendered at the same time by each process; others get 503 with `retry-after`. */
  readonly maxDocuments?: number
}

/**
 * Runs around each request for a page, its data, a route handler or an action.
 * @param request with the URL of the page, also where its data is requested
 * @param handle runs the app, `proxy.ts` included. Never rejects: a failure is a response, too
 * @returns the response of `handle`, with other headers perhaps, or one of its own
 */
export type AroundRequest = (
  request: Request,
  handle: () => Promise<Response>,
) => Response | Promise<Response>

export type AppServer = {
  readonly openCache: (() => Promise<CacheDriver>) | null
  readonly openJournal: (() => Promise<JournalDriver>) | null
  readonly around: AroundRequest | null
  readonly maxDocuments: number | null
}

const driverMethods = {
  cache: ['get', 'set', 'delete', 'invalidate', 'position', 'onInvalidated', 'lease'],
  journal: ['write', 'list', 'groups', 'find', 'counts', 'flush'],
} as const

/** @param module `null` when the app has none @throws `SERVER_EXPORT` */
export function readServerOptions(module: Readonly<Record<string, unknown>> | null): AppServer {
  const options = module === null ? {} : module.default
  if (typeof options !== 'object' || options === null) {
    throw frameworkError('SERVER_EXPORT', { reason: 'it has no object as its default export' })
  }
  const { cache, journal, around, maxDocuments = null, ...others } = options as ServerOptions
  for (const name of Object.keys(others)) {
    throw frameworkError('SERVER_EXPORT', { reason: `it knows no option ${name}` })
  }
  for (const [name, value] of Object.entries({ cache, journal, around })) {
    if (value === undefined || typeof value === 'function') continue
    throw frameworkError('SERVER_EXPORT', { reason: `its ${name} is no function` })
  }
  if (maxDocuments !== null && !(Number.isInteger(maxDocuments) && maxDocuments > 0)) {
    throw frameworkError('SERVER_EXPORT', { reason: 'its maxDocuments is no whole number above 0' })
  }
  return {
    maxDocuments,
    openCache: opener('cache', cache),
    openJournal: opener('journal', journal),
    around: around ?? null,
  }
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
  readonly around: AroundRequest
  readonly read: PageTarget
  readonly request: ServerRequest
  readonly scope: RequestScope
  readonly buildId: string
  /** How long `around` may take, before and after the app's own work. */
  readonly deadlineMs: number
  readonly respond: Handle
}

/**
 * Runs `around` with a request. In a prerender it runs for its context alone: what is stored is the
 * app's own response.
 * @throws what `around` threw; `SERVER_AROUND`
 */
export async function respondAround(wrapped: WrappedRequest): Promise<HandlerResponse> {
  const { around, read, request, scope, respond } = wrapped
  const { pathname } = read
  const isPrerender = scope.phase === 'prerender'
  const source = request.toRequest()
  const web = watchBody(toWebRequest(request, { path: pathname + read.search, source }))
  const time = createDeadline(wrapped.deadlineMs, pathname)
  // As both: it is assigned in a closure.
  let handling = null as Promise<Handled> | null

  async function run(): Promise<Handled> {
    if (web.bodyUsed) {
      throw problem(pathname, 'it read the body before it called handle(); read a clone()')
    }
    time.stop()
    // A body can be read once, so it stays in the hands of one Request.
    const given = await respond(web.body === null ? request : followingRequest(request, web, null))
    time.start()
    const response = asResponse(given, isPrerender)
    return { given, response, body: response.body }
  }

  const handle = async () => {
    handling ??= run()
    return (await handling).response
  }

  try {
    const response = await Promise.race([around(web, handle), time.over])
    if (isPrerender) return handling ? (await handling).given : await respond(request)
    if (!isResponse(response)) throw problem(pathname, 'it returned no Response')
    const handled = await handling
    if (handled && isSame(response, handled)) {
      return { ...handled.given, status: response.status, headers: [...response.headers] }
    }
    if (handled && response !== handled.response) cancelBody(handled.response)
    const reason = responseProblem(response)
    if (reason) throw problem(pathname, reason)
    // Written by the app for this request, as a response of proxy.ts is.
    scope.phase = 'proxy'
    return translated(fromResponse(response), read.kind, { request, buildId: wrapped.buildId })
  } catch (thrown) {
    void handling
      ?.then(({ response }) => cancelBody(response))
      .catch(() => {
        // It is what was thrown.
      })
    throw thrown
  } finally {
    time.end()
  }
}

type Handled = {
  readonly given: HandlerResponse
  readonly response: Response
  readonly body: Response['body']
}

function asResponse(given: HandlerResponse, isPrerender: boolean): Response {
  // What is in a file or in the page cache is sent from there.
  const isStored = isPrerender || given.prerendered !== undefined
  return toResponse(isStored ? { ...given, body: noPieces } : given)
}

const noPieces: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} }

/** Tells whether the app's own response can be sent as it is, with the headers of a Response. */
function isSame(response: Response, handled: Handled): boolean {
  if (response.bodyUsed) return false
  const { given, body } = handled
  if (response !== handled.response && (body === null || response.body !== body)) return false
  // A clone reads a stream, and whatever else is a whole body still.
  const isStream = typeof given.body === 'object' && !(given.body instanceof Uint8Array)
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
