import { createFromReadableStream } from '@vitejs/plugin-rsc/react/browser'
import type { Payload } from '../../wire/payload.ts'
import {
  buildHeader,
  digestHeader,
  documentHeader,
  finalStatusHeader,
  freshHeader,
  mountedSegmentsHeader,
  navigationFromHeader,
  refusalHeader,
} from '../../wire/protocol.ts'
import { loadHeaders, trace } from '../../wire/trace.ts'
import { nonceHeaders, pageDataUrl, pageOfDataUrl } from '../document/dataRequest.ts'
import { throughPackages } from '../document/payloadStream.ts'
import { userHeaders } from '../document/userHeaders.ts'
import { showFailure } from '../errors/errorReports.ts'
import { isLastingRefusal, retryAfterMsOf } from '../retry/retry.ts'
import { BrokenPayload, type OnProgress, verifyStream } from './verifiedStream.ts'

/** A page whose data has started to arrive. */
export type LoadedPage = {
  readonly payload: Payload
  /** URL of the page, after redirects. */
  readonly url: URL
  /** Id of the build that rendered the page. */
  readonly build: string | null
  /** Resolves once the data is complete. Rejects if the data was cut off. */
  readonly whole: Promise<void>
  readonly onBytes: (listener: () => void) => void
}

export type PageFetch = {
  readonly url: URL
  readonly mounted: readonly string[]
  readonly from: string
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
  readonly build: string | null
  /** Place in the page where a component threw a signal, and where the screen is shown. */
  readonly screenPlace?: string | undefined
  /** True if data of the page has changed, so that a stale response must not be used. */
  readonly wantsFresh?: boolean | undefined
  /** The running prefetch of this page. */
  readonly joined?: JoinedPrefetch | null
  /** True if a previous attempt has failed. The request then also looks for redirect loops. */
  readonly isRetry?: boolean
}

/**
 * The URL has no page data, because it belongs to a route handler, for example. Load a document
 * instead.
 */
export class DocumentNeeded extends Error {
  override readonly name = 'DocumentNeeded'
}

/** The connection failed, or the response came from a gateway or a captive portal. */
export class NoPageData extends Error {
  override readonly name = 'NoPageData'
  /** True if another attempt may soon succeed. */
  readonly isTransient: boolean
  /** Milliseconds that the server asks the browser to wait. */
  readonly retryAfterMs: number
  /** True if the request failed after a redirect. */
  readonly isRedirected: boolean

  constructor(message: string, { response, isRedirected = false }: NoPageDataCause) {
    super(message)
    const status = response?.status ?? 0
    this.isRedirected = isRedirected
    const isLasting = isLastingRefusal(status) || (status >= 200 && status < 400)
    this.isTransient = !isRedirected && !isLasting
    // In development, an error remains until a file is edited, after which the page is fetched
    // again anyway.
    if (import.meta.env.DEV && response?.headers.has(digestHeader)) this.isTransient = false
    this.retryAfterMs = response ? retryAfterMsOf(response.headers) : 0
  }
}

type NoPageDataCause = {
  readonly response?: Response
  readonly isRedirected?: boolean
}

/**
 * A cache has mixed up responses: the page data belongs to a different URL, or its build differs
 * from the one in the header.
 */
export class MixedUpPage extends BrokenPayload {
  override readonly name = 'MixedUpPage'
}

/** True if the same request may soon succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof NoPageData) return error.isTransient
  // A corrupted row makes React's decoder throw a `SyntaxError` from `JSON.parse`.
  return error instanceof BrokenPayload || error instanceof SyntaxError
}

/** The document was rendered for a user who is no longer signed in. */
export class OtherUser extends Error {
  override readonly name = 'OtherUser'
}

/** The server runs a different build, whose data needs code that this document doesn't have. */
export class OtherBuild extends Error {
  override readonly name = 'OtherBuild'
  readonly build: string

  constructor(build: string) {
    super(`The server runs the build ${build}.`)
    this.build = build
  }
}

/**
 * Fetches a page's data. Accepts any status if the body is a payload: the payload of a 404, for
 * example, contains the not-found screen.
 */
export async function fetchPage(load: PageFetch): Promise<LoadedPage> {
  const { url, mounted, from, signal, onProgress, screenPlace, wantsFresh } = load
  const user = userHeaders()
  if (user === null) throw new DocumentNeeded("The document's user could not be read.")
  const headers: Record<string, string> = {
    ...nonceHeaders(),
    ...user,
    [navigationFromHeader]: from,
  }
  if (mounted.length > 0) headers[mountedSegmentsHeader] = mounted.join(',')
  if (screenPlace !== undefined) headers[finalStatusHeader] = screenPlace
  if (import.meta.env.DEV) Object.assign(headers, loadHeaders())
  if (wantsFresh) headers[freshHeader] = '1'
  // Bypass the HTTP cache if its response could be outdated or lack the requested screen.
  const cache = cacheModeOf(load)
  const response = await request(load, { headers, signal, priority: 'high', cache })
  const { status } = response
  onProgress()
  if (import.meta.env.DEV) showFailure(response.headers.get(digestHeader))
  if (import.meta.env.WAYMARK_TRACED) {
    trace({ type: 'fetched', status, digest: response.headers.get(digestHeader) })
  }
  const type = response.headers.get('content-type') ?? ''
  // In a background refresh, treat a 5xx as a failure, so that no error screen replaces the page.
  if (!type.startsWith('text/x-component') || !response.body || (wantsFresh && status >= 500)) {
    response.body?.cancel().catch(() => {})
    if (/^(?:other-user|stale)$/.test(response.headers.get(refusalHeader) ?? '')) {
      throw new OtherUser(`${url.pathname} belongs to a user other than the document's.`)
    }
    if (response.headers.has(documentHeader)) {
      throw new DocumentNeeded(`${url.pathname} has no page data.`)
    }
    const message = `${url.pathname} returned status ${response.status} with type ${type}.`
    throw new NoPageData(message, { response })
  }
  const build = response.headers.get(buildHeader)
  if (isOtherBuild(build, load.build)) {
    response.body.cancel().catch(() => {})
    throw new OtherBuild(build)
  }
  let notify = () => {}
  const { stream, whole } = verifyStream(response.body, (isHeartbeat, byteCount) => {
    onProgress(isHeartbeat, byteCount)
    notify()
  })
  const onBytes = (listener: () => void) => {
    notify = listener
  }
  // Reject if the payload breaks before its first row, because React would wait for the first row forever.
  const broken = whole.then(() => new Promise<never>(() => {}))
  const decoded = createFromReadableStream<Payload>(throughPackages(stream))
  const payload = await Promise.race([decoded, broken])
  const pageUrl = pageUrlOf(response, url)
  assertPageOf(payload, pageUrl, build)
  return { payload, url: pageUrl, build: build ?? payload.build ?? null, whole, onBytes }
}

function cacheModeOf({ wantsFresh, screenPlace, isRetry }: PageFetch): RequestCache {
  if (screenPlace !== undefined) return 'no-store'
  if (isRetry) return 'reload'
  return wantsFresh ? 'no-cache' : 'default'
}

/**
 * Checks that a payload belongs to a URL and a build. The payload states its URL and its build's
 * id.
 * @param build id of the build in the response's header; `null` if a proxy has removed the header
 * @throws MixedUpPage
 */
export function assertPageOf(payload: Payload, url: URL, build: string | null): void {
  const { route, build: renderedBy = build } = payload
  if (build !== null && renderedBy !== build) {
    throw new MixedUpPage(`The data for ${url.pathname} comes from the build ${renderedBy}.`)
  }
  if (decodedPath(route.pathname) !== decodedPath(url.pathname) || !hasQuery(url, route.search)) {
    const seen = route.pathname + route.search
    throw new MixedUpPage(`The data for ${url.pathname + url.search} belongs to ${seen}.`)
  }
}

/**
 * True if a URL has all parameters of a query. The URL may have more, because static pages don't
 * know their query and caches remove tracking parameters. The order may differ, because caches may
 * sort parameters.
 */
function hasQuery({ search }: URL, rendered: string): boolean {
  const parameters = [...new URLSearchParams(search)].map(String)
  return [...new URLSearchParams(rendered)].every((each) => parameters.includes(String(each)))
}

function decodedPath(pathname: string): string {
  const path = pathname.replace(/(.)\/+$/, '$1')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * Requests page data. In a browser, a redirect loop looks like a lost connection, so a retry first
 * checks if the URL redirects.
 */
async function request(
  { url, signal, isRetry, joined }: PageFetch,
  init: RequestInit,
): Promise<Response> {
  const coming = joined && (await join(joined, signal))
  if (coming) return coming
  const target = url.origin + pageDataUrl(url)
  let isRedirected = false
  try {
    if (isRetry) {
      const response = await fetch(target, { ...init, redirect: 'manual' })
      isRedirected = response.type === 'opaqueredirect'
      if (!isRedirected) return response
    }
    return await fetch(target, init)
  } catch (error) {
    if (signal.aborted) throw error
    throw new NoPageData(`${url.pathname} could not be fetched: ${error}`, { isRedirected })
  }
}

/**
 * Waits for a prefetch. @returns `null` if the prefetch brought no page, so that the page has to be
 * requested
 */
function join({ response, abort }: JoinedPrefetch, signal: AbortSignal): Promise<Response | null> {
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return response
}

/**
 * True if the data was rendered by a different build from the document's. `null` is an unknown
 * build.
 */
export function isOtherBuild(
  responseBuild: string | null,
  documentBuild: string | null,
): responseBuild is string {
  return responseBuild !== null && documentBuild !== null && responseBuild !== documentBuild
}

// Returns the page that the response belongs to. If the page redirects, its data URL has been
// redirected to the target's data URL.
function pageUrlOf(response: Response, requested: URL): URL {
  if (!response.redirected) return requested
  const { pathname, search } = new URL(response.url)
  const pagePathname = pageOfDataUrl(pathname)
  return pagePathname === null ? requested : new URL(pagePathname + search, requested)
}

/** A running prefetch that a click has taken over. */
export type JoinedPrefetch = {
  readonly response: Promise<Response | null>
  readonly abort: () => void
}

export type PrefetchedData = {
  readonly bytes: Uint8Array
  readonly build: string | null
}

export async function decodePrefetched(
  { bytes, build }: PrefetchedData,
  url: URL,
): Promise<LoadedPage> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
  const payload = await createFromReadableStream<Payload>(throughPackages(stream))
  const renderedBy = build ?? payload.build ?? null
  return { payload, url, build: renderedBy, whole: Promise.resolve(), onBytes() {} }
}
