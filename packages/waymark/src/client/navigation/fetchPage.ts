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
import { isLastingRefusal } from '../retry/retry.ts'
import { BrokenPayload, type OnProgress, verifyStream } from './verifiedStream.ts'

/** A page whose data has begun to arrive. */
export type LoadedPage = {
  readonly payload: Payload
  /** The URL that it belongs to: another than requested after a redirect. */
  readonly url: URL
  /** Id of the build that rendered it. */
  readonly build: string | null
  /** Rejects when what is still arriving turns out to be cut. */
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
  /** The place in which a component threw a signal: the page shows a screen there. */
  readonly screenPlace?: string | undefined
  /** Data of the page has changed: a stale response is not enough. */
  readonly wantsFresh?: boolean | undefined
  /** Its prefetch, which is still on its way. */
  readonly joined?: JoinedPrefetch | null
  /** It has failed before: redirects, too, may be why. */
  readonly isRetry?: boolean
}

/** A route handler or proxy.ts responds to the URL: only a document will do. */
export class DocumentNeeded extends Error {
  override readonly name = 'DocumentNeeded'
}

/** The connection failed, or something else responded: a gateway, or a portal. */
export class NoPageData extends Error {
  override readonly name = 'NoPageData'
  /** True if another attempt may succeed in a moment. */
  readonly isTransient: boolean
  /** How long the server asks to wait. */
  readonly retryAfterMs: number
  /** Its redirects led nowhere. */
  readonly isRedirected: boolean

  constructor(message: string, { response, isRedirected = false }: NoPageDataCause) {
    super(message)
    const status = response?.status ?? 0
    this.isRedirected = isRedirected
    const isLasting = isLastingRefusal(status) || (status >= 200 && status < 400)
    this.isTransient = !isRedirected && !isLasting
    // In development an error lasts until a file is edited, and then the page is fetched again.
    if (import.meta.env.DEV && response?.headers.has(digestHeader)) this.isTransient = false
    this.retryAfterMs = (Number(response?.headers.get('retry-after')) || 0) * 1000
  }
}

type NoPageDataCause = {
  readonly response?: Response
  readonly isRedirected?: boolean
}

/** Page data of another URL, or of another build than its header says: a cache has mixed them up. */
export class MixedUpPage extends BrokenPayload {
  override readonly name = 'MixedUpPage'
}

/** Tells whether the same request for page data may fare better in a moment. */
export function isTransient(error: unknown): boolean {
  if (error instanceof NoPageData) return error.isTransient
  // React's decoder throws what JSON.parse throws for a row that was changed on its way.
  return error instanceof BrokenPayload || error instanceof SyntaxError
}

/** The document was rendered for another user than the one who is signed in now. */
export class OtherUser extends Error {
  override readonly name = 'OtherUser'
}

/** The server runs another build than the document: its data names code that is not here. */
export class OtherBuild extends Error {
  override readonly name = 'OtherBuild'
  readonly build: string

  constructor(build: string) {
    super(`The server runs the build ${build}.`)
    this.build = build
  }
}

/**
 * Fetches a page's data. Any status counts if the body is a payload: a 404 has its screen in it.
 */
export async function fetchPage(load: PageFetch): Promise<LoadedPage> {
  const { url, mounted, from, signal, onProgress, screenPlace, wantsFresh } = load
  const user = userHeaders()
  if (user === null) throw new DocumentNeeded('The user of the document could not be read.')
  const headers: Record<string, string> = {
    ...nonceHeaders(),
    ...user,
    [navigationFromHeader]: from,
  }
  if (mounted.length > 0) headers[mountedSegmentsHeader] = mounted.join(',')
  if (screenPlace !== undefined) headers[finalStatusHeader] = screenPlace
  if (import.meta.env.DEV) Object.assign(headers, loadHeaders())
  if (wantsFresh) headers[freshHeader] = '1'
  // A cached response may be outdated, or lack the screen.
  const cache = cacheModeOf(load)
  const response = await request(load, { headers, signal, priority: 'high', cache })
  const { status } = response
  onProgress()
  if (import.meta.env.DEV) showFailure(response.headers.get(digestHeader))
  if (import.meta.env.WAYMARK_TRACED) {
    trace({ type: 'fetched', status, digest: response.headers.get(digestHeader) })
  }
  const type = response.headers.get('content-type') ?? ''
  // A page that is kept current stays while it fails: no error screen takes its place.
  if (!type.startsWith('text/x-component') || !response.body || (wantsFresh && status >= 500)) {
    response.body?.cancel().catch(() => {})
    if (/^(?:other-user|stale)$/.test(response.headers.get(refusalHeader) ?? '')) {
      throw new OtherUser(`${url.pathname} belongs to another user than the document.`)
    }
    if (response.headers.has(documentHeader)) {
      throw new DocumentNeeded(`${url.pathname} has no page data.`)
    }
    const message = `The response for ${url.pathname} was ${response.status} with ${type}.`
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
  // React would wait for ever for a payload that breaks before its first row.
  const broken = whole.then(() => new Promise<never>(() => {}))
  const decoded = createFromReadableStream<Payload>(throughPackages(stream))
  const payload = await Promise.race([decoded, broken])
  const pageUrl = pageUrlOf(response, url)
  assertPageOf(payload, pageUrl, build)
  return { payload, url: pageUrl, build, whole, onBytes }
}

function cacheModeOf({ wantsFresh, screenPlace, isRetry }: PageFetch): RequestCache {
  if (screenPlace !== undefined) return 'no-store'
  if (isRetry) return 'reload'
  return wantsFresh ? 'no-cache' : 'default'
}

/**
 * Checks that a payload is the page of a URL. The checksum covers what the payload says of itself.
 * @param build the build that its header names; `null` when a proxy has dropped the header
 * @throws MixedUpPage
 */
export function assertPageOf(payload: Payload, url: URL, build: string | null): void {
  const { route, build: renderedBy = build } = payload
  if (build !== null && renderedBy !== build) {
    throw new MixedUpPage(`The data for ${url.pathname} is of the build ${renderedBy}.`)
  }
  if (decodedPath(route.pathname) !== decodedPath(url.pathname) || !hasQuery(url, route.search)) {
    const seen = route.pathname + route.search
    throw new MixedUpPage(`The data for ${url.pathname + url.search} is that of ${seen}.`)
  }
}

/**
 * True when a URL has all parameters of a query. A static page knows none, and caches sort parameters
 * and leave out those that only count visits.
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

/** Requests page data. A loop of redirects looks like a lost connection: a repeat looks for it. */
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

/** @returns `null` where it has brought no page: it is then requested as if there had been none */
function join({ response, abort }: JoinedPrefetch, signal: AbortSignal): Promise<Response | null> {
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return response
}

/** True if another build than the document's rendered the data; `null` stands for unknown. */
export function isOtherBuild(
  responseBuild: string | null,
  documentBuild: string | null,
): responseBuild is string {
  return responseBuild !== null && documentBuild !== null && responseBuild !== documentBuild
}

// The data of a page that redirects is a redirect to the target's data.
function pageUrlOf(response: Response, requested: URL): URL {
  if (!response.redirected) return requested
  const { pathname, search } = new URL(response.url)
  const pagePathname = pageOfDataUrl(pathname)
  return pagePathname === null ? requested : new URL(pagePathname + search, requested)
}

/** Page data that a click waits for, and a prefetch has requested. */
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
  return { payload, url, build, whole: Promise.resolve(), onBytes() {} }
}
