import type { ServerRequest } from '../../http/response.ts'
import { type ParsedTarget, parseTarget } from '../../routing/canonicalUrl.ts'
import type { Matcher } from '../../routing/match.ts'
import { trailingSlash, withBasePath, withoutBasePath } from '../../shared/basePath.ts'
import { escapeHtml } from '../../shared/html.ts'
import { finalStatusHeader, pagePathnameOf } from '../../wire/protocol.ts'

/** A request for a page, as a document or as data. A route handler may serve the document. */
export type PageTarget = {
  readonly kind: 'document' | 'data'
  readonly pathname: string
  readonly search: string
  /** True when the URL asks for a document that waits for all of its content. */
  readonly isWhole?: boolean
}

export type ParsedRequest =
  | PageTarget
  | Exclude<ParsedTarget, { kind: 'ok' }>
  | { readonly kind: 'outside' }

/** True for a URL that a page or a route handler may have. */
export function isPageTarget(parsed: ParsedRequest): parsed is PageTarget {
  return parsed.kind === 'document' || parsed.kind === 'data'
}

/** No other code parses the URL of a request, so that a guard and a page see the same one. */
export function readRequest(request: Pick<ServerRequest, 'target'>): ParsedRequest {
  const target = parseAddress(request.target)
  if (target.kind !== 'ok') return target
  const { search } = target
  const pathname = withoutBasePath(target.pathname)
  if (pathname === null) return { kind: 'outside' }
  const page = pagePathnameOf(pathname)
  if (page !== null) return readDataTarget(page, search)
  const ofPage = searchOfWhole(search)
  return ofPage === null
    ? { kind: 'document', pathname, search }
    : { kind: 'document', pathname, search: ofPage, isWhole: true }
}

/**
 * The suffix of a data URL is cut off after the URL was parsed: `/admin/...rsc` leaves `/admin/..`,
 * which a guard and a `Request` would read as two different paths.
 */
function readDataTarget(pathname: string, search: string): ParsedRequest {
  const parsed = parseTarget(pathname)
  if (parsed.kind === 'ok' && parsed.pathname === pathname) {
    return { kind: 'data', pathname, search }
  }
  return { kind: 'bad', status: 400, reason: 'the page of its data URL is not a canonical path' }
}

/** Creates a function that finds the route pattern of a request target, before or after its redirect. */
export function createRouteOf({ match }: Matcher): (target: string) => string | null {
  return (target) => {
    const parsed = readRequest({ target })
    const page = parsed.kind === 'redirect' ? readRequest({ target: parsed.location }) : parsed
    return isPageTarget(page) ? (match(page.pathname)?.pattern ?? null) : null
  }
}

function parseAddress(target: string): ParsedTarget {
  const parsed = parseTarget(target)
  if (!trailingSlash || parsed.kind === 'bad') return parsed
  const canonical = parsed.kind === 'redirect' ? parseTarget(parsed.location) : parsed
  const path = canonical.kind === 'ok' ? withoutBasePath(canonical.pathname) : null
  if (canonical.kind !== 'ok' || path === null) return canonical
  const pathname = withBasePath(path)
  const hasSlash = pathname !== '/' && pathname.endsWith('/')
  // Keeps the client's percent-encoding.
  const bare = target.replace(/^([^?]*[^/?])\/(?=\?|$)/, '$1')
  const isWritten = hasSlash
    ? bare !== target && parseTarget(bare).kind === 'ok'
    : parsed === canonical
  const location = pathname + canonical.search
  return isWritten ? canonical : { kind: 'redirect', status: 308, location }
}

// Crawlers and link previews use the first response only.
const crawler =
  /bot\b|crawl|spider|slurp|facebookexternalhit|embedly|preview|whatsapp|telegram|lighthouse/i

/** True for a crawler, and for Waymark's client when a status was sent too early. */
export function wantsFinalStatus({ headers }: ServerRequest): boolean {
  const agent = headers.get('user-agent')
  return headers.has(finalStatusHeader) || (agent !== null && crawler.test(agent))
}

/** True for a request that changes nothing. @see RFC 9110 §9.2.1 */
export function isRead({ method }: { readonly method: string }): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** A request without a client, for pages that all visitors share. @param path within the app */
export function anonymousRequest(path: string): ServerRequest {
  const target = withBasePath(path)
  const request: ServerRequest = {
    method: 'GET',
    target,
    origin: 'http://localhost',
    headers: new Headers(),
    signal: new AbortController().signal,
    toRequest: () => new Request(request.origin + target),
  }
  return request
}

/** Takes the host from an origin without parsing, which could throw. */
export function hostOf(origin: string): string {
  return origin.slice(origin.indexOf('://') + 3)
}

// With a value, because code that rewrites a query would add an empty one.
const asksForWhole = 'waymark-whole=1'

/** The query of a document that waits for all of its content. */
export function wholeSearch(search: string): string {
  return `${search === '' ? '?' : `${search}&`}${asksForWhole}`
}

/** Reads such a query, even with additions. @returns `null` without the marker */
export function searchOfWhole(search: string): string | null {
  if (!search.includes(asksForWhole)) return null
  const pairs = search.slice(1).split('&')
  const others = pairs.filter((pair) => pair !== asksForWhole)
  if (others.length === pairs.length) return null
  return others.length === 0 ? '' : `?${others.join('&')}`
}

/** What is typed into a document would be lost once another one takes its place. */
export const hiddenFieldsStyle = 'input,select,textarea{visibility:hidden}'

/** For browsers without scripts, which show no late parts. Goes before any `<base>`. */
export function wholeDocumentLink(search: string): string {
  const url = escapeHtml(wholeSearch(search))
  return `<noscript><meta http-equiv="refresh" content="0;url=${url}"><style>${hiddenFieldsStyle}</style></noscript>`
}

// Loopback and private networks: most likely a proxy that the app does not trust yet.
const nearby =
  /^(?:::ffff:)?(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)|^::1$|^f[cd]|^fe80/i

/**
 * The key by which a client's use is limited: an IPv4 address, or the first 64 bits of an IPv6 address.
 * Comes from the connection or a trusted proxy, never from a header that the client chooses. People
 * behind one address share the key, so it identifies nobody.
 * @returns `null` when the address is unknown or private, as behind a proxy that the app does not trust
 */
export function clientNetwork({
  remoteAddress,
}: Pick<ServerRequest, 'remoteAddress'>): string | null {
  if (!remoteAddress || nearby.test(remoteAddress)) return null
  // An IPv4-mapped IPv6 address counts as IPv4.
  const isIPv6 = remoteAddress.includes(':') && !remoteAddress.includes('.')
  return isIPv6 ? networkOf(remoteAddress) : remoteAddress
}

function networkOf(address: string): string {
  const [before = '', after] = address.split('::')
  const groups = before.split(':').filter(Boolean)
  const missing = after === undefined ? 0 : 8 - groups.length - after.split(':').length
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(after?.split(':') ?? [])]
    .slice(0, 4)
    .join(':')
}
