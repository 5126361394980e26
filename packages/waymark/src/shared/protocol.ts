/** Paths that belong to the framework begin with this; no route of the app may. */
export const internalPrefix = '/_waymark/'

const dataPrefix = '/_waymark/data'
const dataSuffix = '.rsc'

/** Folder of the hashed client assets below `internalPrefix`. */
export const assetsPrefix = '/_waymark/assets/'

/** Before the paths of health checks. */
export const healthPrefix = '/_waymark/health/'

/**
 * Tells whether a header is one of the framework's own, with which its two halves talk: no part of
 * what an app is asked.
 */
export function isInternalHeader(name: string): boolean {
  return /^(?:waymark-|x-waymark-digest$)/i.test(name)
}

/** Segment keys of layouts that the client holds already, comma separated. */
export const mountedSegmentsHeader = 'waymark-mounted'

/** Pathname the client navigates from; decides interception. */
export const navigationFromHeader = 'waymark-from'

/** Pathnames of routes that slots go on showing, comma separated: an action may be called there. */
export const besideHeader = 'waymark-beside'

/** The latest of them that a page names, and a server looks at. */
export const maxBeside = 4

/**
 * Requests page data before the click: only what costs the server little; with the value
 * `wholePrefetch`, a page that is rendered for each request, too, since a click is likely.
 */
export const prefetchHeader = 'waymark-prefetch'
export const wholePrefetch = 'page'

/**
 * What an app reads in the place of `prefetchHeader`, as of a prefetch by the browser itself, whose
 * header no script may send.
 * @see Resource Hints, Sec-Purpose
 */
export const prefetchPurpose = ['sec-purpose', 'prefetch'] as const

/**
 * On the response to a prefetch: the scripts and stylesheets of the page, which the browser then
 * has before the data names them. Each is a URL, with `#` and its hash where browsers are to check
 * it, separated by spaces.
 */
export const assetsHeader = 'waymark-assets'

/**
 * Asks for page data only once all of it has come to an end. Its value may name a screen, and the
 * place of the page that it shows in: `encodeScreenPlace`.
 */
export const finalStatusHeader = 'waymark-final-status'

/** Nonce of the document that asks for page data: what the data holds inline must carry it. */
export const nonceHeader = 'waymark-nonce'

/**
 * On a response to a request for page data: there is none, since a route handler or proxy.ts
 * answers the URL. The browser has to load the document itself, and need not look first.
 */
export const documentHeader = 'waymark-document'

/**
 * What a GET accepts that only looks whether responses arrive: nothing is rendered for it. A header
 * of our own would not pass where a redirect leads to another origin.
 */
export const probeType = 'application/vnd.waymark.probe'

/** The response to a probe: long enough for a line that cuts or changes responses to show it. */
export function probeBody(): string {
  return Array.from({ length: 400 }, (_, at) =>
    (Math.imul(at, 0x9e3779b1) >>> 0).toString(36),
  ).join()
}

/** Digest of a response's error: `waymark errors` finds it. */
export const digestHeader = 'x-waymark-digest'

/** Identifies the build that responded. */
export const buildHeader = 'waymark-build'

/** All styles of an app share one precedence: their order is that of the segments, root first. */
export const stylePrecedence = 'waymark'

/** Media type of Flight data. */
export const payloadType = 'text/x-component; charset=utf-8'

/**
 * The URL of a page's data. It is a URL of its own, so that a cache which ignores `Vary`
 * can't serve data as a page.
 * @param pathname canonical: begins with a slash, ends without one unless it is `/`
 * @param search with its question mark, or empty
 */
export function payloadUrl(pathname: string, search: string): string {
  return `${dataPrefix}${pathname === '/' ? '' : pathname}${dataSuffix}${search}`
}

/**
 * The inverse of `payloadUrl`.
 * @returns the page's pathname, or `null` when the pathname is not that of page data
 */
export function pagePathnameOf(dataPathname: string): string | null {
  if (!dataPathname.startsWith(dataPrefix) || !dataPathname.endsWith(dataSuffix)) return null
  const pathname = dataPathname.slice(dataPrefix.length, -dataSuffix.length)
  if (pathname === '') return '/'
  return pathname.startsWith('/') && pathname !== '/' ? pathname : null
}

/** On a POST: the id of the server action that is called. */
export const actionHeader = 'waymark-action'

/**
 * On a call: its idempotency key. The action runs once for it, and a repeat gets the response of
 * the first.
 */
export const idempotencyKeyHeader = 'waymark-idempotency-key'

/**
 * On the response to a call: what it has changed that pages on the screen, and those that were
 * left, may show. `session` stands for cookies, `data` for what was revalidated.
 */
export const changedHeader = 'waymark-changed'

/**
 * The same for a form that is sent without a script: a hidden field, new in each document. React
 * keeps fields of this prefix from the action.
 */
export const idempotencyKeyField = '$ACTION_IDEMPOTENCY_KEY'

/** 16 to 64 characters that need no escape in a URL. */
export const idempotencyKeyPattern = /^[\w-]{16,64}$/

/**
 * Every header with which a client says what it has, or wants, and what that may change. None
 * decides what is allowed: proxy.ts and the guards of all that is shown or called run all the same.
 */
export const saidByClient = {
  [mountedSegmentsHeader]: 'leaves out what these layouts render',
  [navigationFromHeader]: 'shows an intercepting page inside that page, once proxy.ts lets it pass',
  [besideHeader]: 'finds actions of these pages, once proxy.ts lets it pass to each',
  [prefetchHeader]: 'leaves out the page, or all',
  [finalStatusHeader]: 'waits for the end, or shows a screen in the place of a part',
  [nonceHeader]: 'is written into inline scripts and styles of page data',
  [actionHeader]: 'names the action, which the page of the URL has to reach',
  [idempotencyKeyHeader]: 'repeats the response to the same sender',
} as const

/** The headers that only the server sends: from a client they mean nothing. */
export const saidByServer = [
  assetsHeader,
  documentHeader,
  digestHeader,
  buildHeader,
  changedHeader,
] as const
