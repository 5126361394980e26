import { wholeBuildId } from './variantBuildId.ts'

/** Path prefix reserved for the framework. No route of the app may begin with it. */
export const internalPrefix = '/_waymark/'

export const dataPrefix = '/_waymark/data'
export const dataSuffix = '.rsc'

export const assetsPrefix = '/_waymark/assets/'

/**
 * Path of the app's service worker. If no package provides one, the server responds with a script
 * that removes an earlier build's worker.
 */
export const workerPath = '/_waymark/offline.js'

export const healthPrefix = '/_waymark/health/'

/**
 * Endpoint that deletes a browser's cookies when one of the site's pages sends a POST. See
 * `node/clearCookies.ts`.
 */
export const clearCookiesPath = '/_waymark/clear-cookies'

/** Maximum length of a path, including its query, that the app accepts. */
export const maxTargetLength = 8192

export function isInternalHeader(name: string): boolean {
  return /^(?:waymark-|x-waymark-digest$)/i.test(name)
}

/** Keys of the layout segments that the browser has mounted, separated by commas. */
export const mountedSegmentsHeader = 'waymark-mounted'

/** Pathname from which the client navigates. It decides which interceptions apply. */
export const navigationFromHeader = 'waymark-from'

/**
 * Pathnames of routes that slots still show, separated by commas. Actions on these routes may be
 * called, too.
 */
export const besideHeader = 'waymark-beside'

/** Maximum number of pathnames in `besideHeader` that the server reads, newest first. */
export const maxBeside = 4

/**
 * Marks a request for page data that the client sends before a click. The value `wholePrefetch`
 * also asks for pages that are rendered for each request.
 */
export const prefetchHeader = 'waymark-prefetch'
export const wholePrefetch = 'page'

export const prefetchPurpose = ['sec-purpose', 'prefetch'] as const

/** URLs of a prefetched page's scripts and stylesheets. Each URL may be followed by `#` and a hash. */
export const assetsHeader = 'waymark-assets'

/**
 * Asks the server to hold back page data until all of it has settled. The value may be a screen to
 * render, encoded by `encodeScreenPlace`.
 */
export const finalStatusHeader = 'waymark-final-status'

/** Asks for page data without stale cached parts, because cached data has changed. */
export const freshHeader = 'waymark-fresh'

/** True if a service worker must not respond to this request for page data from its caches. */
export function wantsFresh({ headers }: Pick<Request, 'headers'>): boolean {
  return headers.has(freshHeader)
}

/** Nonce of the requesting document, for inline scripts in the page data. */
export const nonceHeader = 'waymark-nonce'

/**
 * Tells the browser to load the document, because a route handler or proxy.ts responds to the URL.
 */
export const documentHeader = 'waymark-document'

/**
 * Creates a response to a request for page data that makes the router load the document. For a
 * service worker that has stored the document but not the data.
 */
export function loadDocumentResponse(status: number): Response {
  return new Response(null, { status, headers: { [documentHeader]: '1' } })
}

/**
 * `accept` header of a connection test. A redirect to a different site would drop a custom header.
 */
export const probeType = 'application/vnd.waymark.probe'

/** Builds a body that is long enough to reveal a connection that truncates or changes responses. */
export function probeBody(): string {
  return Array.from({ length: 400 }, (_, at) =>
    (Math.imul(at, 0x9e3779b1) >>> 0).toString(36),
  ).join()
}

/** Response header with the digest of the error that the response reports. */
export const digestHeader = 'x-waymark-digest'

export const buildHeader = 'waymark-build'

/**
 * Reads the id of the build that rendered a response. All variants of a build have the same id.
 *
 * @returns `null` if the response isn't from Waymark, such as the error page of a proxy
 */
export function buildOf({ headers }: Pick<Response, 'headers'>): string | null {
  return wholeBuildId(headers.get(buildHeader))
}

/**
 * Precedence of all stylesheets. React keeps stylesheets with the same precedence in order, root
 * layout first.
 */
export const stylePrecedence = 'waymark'

export const payloadType = 'text/x-component; charset=utf-8'

/**
 * Builds the path of a page's data, without the base path. It differs from the page's path, so that
 * a cache that ignores `Vary` can't send data as a page.
 * @param search query including its `?`, or an empty string
 */
export function payloadUrl(pathname: string, search: string): string {
  return `${dataPrefix}${pathname === '/' ? '' : pathname}${dataSuffix}${search}`
}

/**
 * Reverses `payloadUrl`.
 *
 * @returns the page's pathname, or `null` if this isn't the path of page data
 */
export function pagePathnameOf(dataPathname: string): string | null {
  if (!dataPathname.startsWith(dataPrefix) || !dataPathname.endsWith(dataSuffix)) return null
  const pathname = dataPathname.slice(dataPrefix.length, -dataSuffix.length)
  if (pathname === '') return '/'
  return pathname.startsWith('/') && pathname !== '/' ? pathname : null
}

export const actionHeader = 'waymark-action'

/** Idempotency key of a call. A repeated call gets the stored response of the first one. */
export const idempotencyKeyHeader = 'waymark-idempotency-key'

/**
 * Encrypted user for whom the page was rendered. Sent with calls and with requests for page data.
 */
export const userHeader = 'waymark-user'

/**
 * Response header with the reason why the app refused a request. Proxies and gateways don't set it,
 * so a client can tell if the app itself has refused.
 */
export const refusalHeader = 'waymark-refusal'

/**
 * Reads why Waymark refused a request: a code such as `other-user` or `stale`, or the status as a
 * string. If the response doesn't have this header, a proxy or captive portal may have refused the
 * request, so the next attempt may succeed.
 *
 * @returns `null` if the app didn't refuse the request
 */
export function refusalOf({ headers }: Pick<Response, 'headers'>): string | null {
  return headers.get(refusalHeader)
}

/**
 * Header with the value `1` on a call that may be repeated days later. The server remembers for
 * longer that such a call ran than what it responded.
 */
export const queuedHeader = 'waymark-queued'

/**
 * Header on the response to a call, with the value `session` if the action set cookies, or `data` if the action
 * revalidated data.
 */
export const changedHeader = 'waymark-changed'

/** Matches an idempotency key: 16 to 64 characters that need no escaping in a URL. */
export const idempotencyKeyPattern = /^[\w-]{16,64}$/
