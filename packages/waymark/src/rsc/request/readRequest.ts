import type { RequestHeaders, ServerRequest } from '../../http/response.ts'
import { type ParsedTarget, parseTarget } from '../../routing/canonicalUrl.ts'
import type { Matcher } from '../../routing/match.ts'
import { trailingSlash, withBasePath, withoutBasePath } from '../../shared/basePath.ts'
import { finalStatusHeader, pagePathnameOf } from '../../wire/protocol.ts'
import { searchOfWhole } from './completeDocument.ts'

/**
 * A request for a page, as a document or as data. The document may also be a route handler's
 * response.
 */
export type PageTarget = {
  readonly kind: 'document' | 'data'
  readonly pathname: string
  readonly search: string
  /** True if the URL requests a complete document. */
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

/** Parses a request's URL. No other code does, so that guards and pages always see the same URL. */
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
 * Parses a page data URL's pathname again after removing its suffix. `/admin/...rsc` would become
 * `/admin/..`, which a guard and a `Request` would understand as two different paths.
 */
function readDataTarget(pathname: string, search: string): ParsedRequest {
  const parsed = parseTarget(pathname)
  if (parsed.kind === 'ok' && parsed.pathname === pathname) {
    return { kind: 'data', pathname, search }
  }
  return { kind: 'bad', status: 400, reason: 'the page of its data URL is not a canonical path' }
}

/** Creates a function that finds the route pattern of a URL, before or after its redirect. */
export function createRouteOf({
  match,
}: Pick<Matcher, 'match'>): (target: string) => string | null {
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
  // Remove the slash at the end, but keep the percent-encoding as the client sent it.
  const bare = target.replace(/^([^?]*[^/?])\/(?=\?|$)/, '$1')
  const isWritten = hasSlash
    ? bare !== target && parseTarget(bare).kind === 'ok'
    : parsed === canonical
  const location = pathname + canonical.search
  return isWritten ? canonical : { kind: 'redirect', status: 308, location }
}

// Matches the user agents of crawlers and link previews, which only read the first response.
const crawler =
  /bot\b|crawl|spider|slurp|facebookexternalhit|embedly|preview|whatsapp|telegram|lighthouse/i

/**
 * True for a crawler, and for Waymark's client if it previously got a status that was sent too
 * early.
 */
export function wantsFinalStatus({ headers }: ServerRequest): boolean {
  return headers.has(finalStatusHeader) || isCrawler(headers)
}

/** True for crawlers and link previews, by their own word. */
export function isCrawler(headers: Pick<RequestHeaders, 'get'>): boolean {
  const agent = headers.get('user-agent')
  return agent !== null && crawler.test(agent)
}

/** True for a request that changes nothing. @see RFC 9110 §9.2.1 */
export function isRead({ method }: { readonly method: string }): boolean {
  return method === 'GET' || method === 'HEAD'
}

/**
 * Creates a request that comes from no client, for pages that all visitors share. @param path the
 * path within the app
 */
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

/** Returns an origin's host. Doesn't parse the origin, because that could throw. */
export function hostOf(origin: string): string {
  return origin.slice(origin.indexOf('://') + 3)
}
