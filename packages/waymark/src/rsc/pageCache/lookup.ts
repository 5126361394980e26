import {
  type BuiltPage,
  type CacheStatus,
  cacheStatusHeader,
  type PageCacheResponse,
} from '../../builds/cachedPage.ts'
import type { CacheRead } from '../../cache/cacheEntry.ts'
import type { HandlerResponse, HeaderLines } from '../../http/response.ts'
import { payloadUrl } from '../../wire/protocol.ts'
import type { Exchange } from '../request/exchange.ts'
import { isRead } from '../request/readRequest.ts'
import type { PageValue } from './codec.ts'

export type CacheableUrl = {
  readonly pathname: string
  readonly pattern: string
  readonly kind: 'document' | 'data'
  /** False if the browser knows that data has changed since the page was cached. */
  readonly acceptsStale?: boolean
}

/**
 * Returns the URL with which a request may look for a cached response.
 * @param options `isStatic` returns true if a route's responses are cached
 * @returns `null` if the request must not get a cached response
 */
export function cacheableUrl(
  { match, otherPages, scope, destination, address, request }: Exchange,
  { isStatic }: { readonly isStatic: (pattern: string) => boolean },
): CacheableUrl | null {
  const { pathname, kind } = destination
  if (!match || !isRead(request)) return null
  const { pattern } = match
  if (scope.phase !== 'render' || scope.context.isDraft || !isStatic(pattern)) return null
  // A page that is cached under its rewritten pathname would show the wrong URL, so don't use the
  // cache after a rewrite.
  if (pathname !== address.pathname) return null
  const acceptsStale = scope.context.life?.acceptsStale ?? true
  if (kind === 'document') return { pathname, pattern, kind }
  if (match.leaf === 'route') return null
  // A navigation inside the app may show an interception instead, so don't use the cache for it.
  return otherPages.from === null ? { pathname, pattern, kind, acceptsStale } : null
}

/** A cache value in its encoded and decoded form. */
export type CachedValue = { readonly read: CacheRead; readonly value: PageValue }

/** Finds the cached value for a request. @returns `null` if the handler must respond */
export function findCachedValue(
  { read, value }: CachedValue,
  kind: CacheableUrl['kind'],
  nowMs: number,
): PageCacheResponse | null {
  const ageSeconds = ageOf(read, nowMs)
  switch (value.kind) {
    case 'built':
      return { response: 'built', ageSeconds }
    case 'page': {
      const response = value.page[kind]
      return response && { response, ageSeconds }
    }
    case 'partial':
    case 'perRequest':
      return null
  }
}

/** Turns a cached value into a response. @returns `null` if the handler must respond */
export function toCachedResponse(
  cached: CachedValue,
  url: CacheableUrl,
  { nowMs, built }: { readonly nowMs: number; readonly built: BuiltPage | null },
): HandlerResponse | null {
  const sendable = findCachedValue(cached, url.kind, nowMs)
  if (sendable === null) return null
  const { response, ageSeconds } = sendable
  const added: HeaderLines = [[cacheStatusHeader, states[cached.read.state]]]
  if (ageSeconds !== null) added.push(['age', String(ageSeconds)])
  if (response !== 'built') {
    const { status, headers, bodies } = response
    const { hasCustomCaching } = response
    const body = bodies[0].bytes
    return { status, headers: [...headers, ...added], body, cached: response, hasCustomCaching }
  }
  const prerendered = url.kind === 'data' ? payloadUrl(url.pathname, '') : url.pathname
  const hasCustomCaching = built?.hasCustomCaching
  return { status: 200, headers: added, body: null, prerendered, hasCustomCaching }
}

const states: Readonly<Record<CacheRead['state'], CacheStatus>> = {
  fresh: 'hit',
  stale: 'stale',
  computed: 'miss',
}

// Returns a page's `age` in seconds (RFC 9111 §5.1). A page without a lifetime is revalidated each
// time and needs no age.
function ageOf({ storedAtMs, revalidateAtMs }: CacheRead, nowMs: number): number | null {
  return revalidateAtMs === null ? null : Math.max(0, Math.floor((nowMs - storedAtMs) / 1000))
}
