import { type ParsedTarget, parseTarget } from '../../routing/canonicalUrl.ts'
import { trailingSlash, withBasePath, withoutBasePath } from '../../shared/basePath.ts'
import { finalStatusHeader, pagePathnameOf } from '../../shared/protocol.ts'
import type { ServerRequest } from '../../shared/response.ts'
import { searchOfWhole } from '../../shared/withoutScripts.ts'

/** A request for a page: as a document, or as data. A document may be a route handler's. */
export type PageTarget = {
  readonly kind: 'document' | 'data'
  readonly pathname: string
  readonly search: string
  /** Whether the document waits for all of its page: its URL says so, beside `search`. */
  readonly isWhole?: boolean
}

/** The target of a request, parsed. */
export type ParsedRequest =
  | PageTarget
  | Exclude<ParsedTarget, { kind: 'ok' }>
  /** Another app's: it is not below `basePath`. */
  | { readonly kind: 'outside' }

/**
 * Parses the target of a request. Its URL is parsed here and nowhere else, so that a guard and a
 * page can't see two different ones.
 */
export function readRequest(request: ServerRequest): ParsedRequest {
  const target = parseAddress(request.target)
  if (target.kind !== 'ok') return target
  const { search } = target
  const pathname = withoutBasePath(target.pathname)
  if (pathname === null) return { kind: 'outside' }
  const page = pagePathnameOf(pathname)
  if (page !== null) return { kind: 'data', pathname: page, search }
  const ofPage = searchOfWhole(search)
  return ofPage === null
    ? { kind: 'document', pathname, search }
    : { kind: 'document', pathname, search: ofPage, isWhole: true }
}

/** Parses a target in the spelling that the app's URLs have, and redirects others there. */
function parseAddress(target: string): ParsedTarget {
  const parsed = parseTarget(target)
  if (!trailingSlash || parsed.kind === 'bad') return parsed
  const canonical = parsed.kind === 'redirect' ? parseTarget(parsed.location) : parsed
  const path = canonical.kind === 'ok' ? withoutBasePath(canonical.pathname) : null
  // Another app's, or none: its slashes are its own.
  if (canonical.kind !== 'ok' || path === null) return canonical
  const pathname = withBasePath(path)
  const hasSlash = pathname !== '/' && pathname.endsWith('/')
  // As sent, but for what may differ in its percent-encoding.
  const bare = target.replace(/^([^?]*[^/?])\/(?=\?|$)/, '$1')
  const isWritten = hasSlash
    ? bare !== target && parseTarget(bare).kind === 'ok'
    : parsed === canonical
  const location = pathname + canonical.search
  return isWritten ? canonical : { kind: 'redirect', status: 308, location }
}

// Crawlers and link previews: they read the first response only.
const crawler =
  /bot\b|crawl|spider|slurp|facebookexternalhit|embedly|preview|whatsapp|telegram|lighthouse/i

/**
 * Tells whether a client needs the final status: a crawler, or our own client that repeats a
 * request whose status was sent too early.
 */
export function wantsFinalStatus({ headers }: ServerRequest): boolean {
  const agent = headers.get('user-agent')
  return headers.has(finalStatusHeader) || (agent !== null && crawler.test(agent))
}

/**
 * A request without a client, for pages that are the same for everybody.
 * @param path of the app, with its query
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

/**
 * Takes the host from the origin of a request, which was parsed where the request came in: what
 * parses it once more may throw where nothing catches it.
 * @param origin `https://example.com:8443`
 */
export function hostOf(origin: string): string {
  return origin.slice(origin.indexOf('://') + 3)
}
