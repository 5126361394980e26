import { type ParsedTarget, parseTarget } from '../../routing/canonicalUrl.ts'
import { trailingSlash, withBasePath, withoutBasePath } from '../../shared/basePath.ts'
import { finalStatusHeader, pagePathnameOf } from '../../shared/protocol.ts'
import type { ServerRequest } from '../../shared/response.ts'
import { searchOfWhole } from '../../shared/withoutScripts.ts'

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

/**
 * Parses the target of a request. No other code parses the URL, so that a guard and a page see the
 * same one.
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

/** Parses a target; redirects to the canonical spelling. */
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

/**
 * True for a crawler, and for Waymark's client when it repeats a request whose status was sent too
 * early.
 */
export function wantsFinalStatus({ headers }: ServerRequest): boolean {
  const agent = headers.get('user-agent')
  return headers.has(finalStatusHeader) || (agent !== null && crawler.test(agent))
}

/**
 * A request without a client, for pages that all visitors share.
 * @param path path and query within the app
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
 * Takes the host from an origin without parsing, which could throw.
 * @param origin `https://example.com:8443`
 */
export function hostOf(origin: string): string {
  return origin.slice(origin.indexOf('://') + 3)
}
