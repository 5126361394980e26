/** Reserved for the framework: no route of the app may begin with this path. */
export const internalPrefix = '/_waymark/'

export const dataPrefix = '/_waymark/data'
export const dataSuffix = '.rsc'

export const assetsPrefix = '/_waymark/assets/'

/**
 * Path of the endpoint that serves the app's service worker. Where no package serves one, the response
 * removes the worker of an earlier build.
 */
export const workerPath = '/_waymark/offline.js'

export const healthPrefix = '/_waymark/health/'

/** A POST of a page of the site deletes the cookies that it comes with: see node/clearCookies.ts. */
export const clearCookiesPath = '/_waymark/clear-cookies'

/** The longest path with query that the app takes. */
export const maxTargetLength = 8192

export function isInternalHeader(name: string): boolean {
  return /^(?:waymark-|x-waymark-digest$)/i.test(name)
}

/** Keys of mounted layout segments, comma separated. */
export const mountedSegmentsHeader = 'waymark-mounted'

/** Pathname that the client navigates from; decides interception. */
export const navigationFromHeader = 'waymark-from'

/** Pathnames of routes that slots still show, comma separated: their actions may be called. */
export const besideHeader = 'waymark-beside'

/** The server reads this many, newest first. */
export const maxBeside = 4

/** Requests page data before a click. `wholePrefetch` includes pages that each request renders. */
export const prefetchHeader = 'waymark-prefetch'
export const wholePrefetch = 'page'

export const prefetchPurpose = ['sec-purpose', 'prefetch'] as const

/** URLs of a prefetched page's scripts and stylesheets; one may have `#` and a hash. */
export const assetsHeader = 'waymark-assets'

/** Asks for page data once all of it has settled; may name a screen by `encodeScreenPlace`. */
export const finalStatusHeader = 'waymark-final-status'

/** Asks for page data in which nothing cached is stale: something of it was changed. */
export const freshHeader = 'waymark-fresh'

/** True for a request for page data that a service worker must not respond to from its caches. */
export function wantsFresh({ headers }: Pick<Request, 'headers'>): boolean {
  return headers.has(freshHeader)
}

/** Nonce of the requesting document, for inline scripts in the data. */
export const nonceHeader = 'waymark-nonce'

/** No page: a route handler or proxy.ts serves the URL, and browsers load the document. */
export const documentHeader = 'waymark-document'

/**
 * Creates a response to a request for page data that makes the router load the document of the page
 * instead. For service workers that have a document but no data.
 */
export function loadDocumentResponse(status: number): Response {
  return new Response(null, { status, headers: { [documentHeader]: '1' } })
}

/** `accept` of a test of the connection. A custom header would be lost at a redirect elsewhere. */
export const probeType = 'application/vnd.waymark.probe'

/** Long enough to reveal a connection that truncates or changes responses. */
export function probeBody(): string {
  return Array.from({ length: 400 }, (_, at) =>
    (Math.imul(at, 0x9e3779b1) >>> 0).toString(36),
  ).join()
}

/** Response header: the digest of the error that the response reports. */
export const digestHeader = 'x-waymark-digest'

export const buildHeader = 'waymark-build'

/**
 * Reads the id of the build that has rendered a response.
 * @returns `null` for a response that Waymark has not made, such as the error page of a proxy
 */
export function buildOf({ headers }: Pick<Response, 'headers'>): string | null {
  return headers.get(buildHeader)
}

/** One precedence for all styles: React keeps their order, root first. */
export const stylePrecedence = 'waymark'

export const payloadType = 'text/x-component; charset=utf-8'

/**
 * Builds the path of a page's data, without the base path. Page data has its own URL, so that a cache
 * that ignores `Vary` can't serve data as a page.
 * @param search query with its `?`; empty without one
 */
export function payloadUrl(pathname: string, search: string): string {
  return `${dataPrefix}${pathname === '/' ? '' : pathname}${dataSuffix}${search}`
}

/** The inverse of `payloadUrl`. @returns the page's pathname; `null` for other pathnames */
export function pagePathnameOf(dataPathname: string): string | null {
  if (!dataPathname.startsWith(dataPrefix) || !dataPathname.endsWith(dataSuffix)) return null
  const pathname = dataPathname.slice(dataPrefix.length, -dataSuffix.length)
  if (pathname === '') return '/'
  return pathname.startsWith('/') && pathname !== '/' ? pathname : null
}

export const actionHeader = 'waymark-action'

/** Idempotency key of a call: a repetition gets the first response. */
export const idempotencyKeyHeader = 'waymark-idempotency-key'

/**
 * The user of the page that a call was made on, or that requests page data, sealed by the server that
 * rendered the page.
 */
export const userHeader = 'waymark-user'

/**
 * Name of the header that each refusal of the app itself has, with the reason. A proxy or gateway in
 * between does not set it, so a client can tell who has refused.
 */
export const refusalHeader = 'waymark-refusal'

/**
 * Reads why Waymark itself has refused a request: a code such as `other-user` or `stale`, or the
 * status as text. The app's server wrote it. A proxy or a portal in between does not, so its
 * responses may pass with the next request.
 * @returns `null` for a response that is no refusal, or that something else has sent
 */
export function refusalOf({ headers }: Pick<Response, 'headers'>): string | null {
  return headers.get(refusalHeader)
}

/** `1` on a call that may be repeated days later: the mark that it ran outlives its response. */
export const queuedHeader = 'waymark-queued'

/** On the response to a call: `session` when it set cookies, `data` when it revalidated. */
export const changedHeader = 'waymark-changed'

/** 16 to 64 characters that need no escape in a URL. */
export const idempotencyKeyPattern = /^[\w-]{16,64}$/
