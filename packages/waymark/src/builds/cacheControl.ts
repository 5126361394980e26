import { type HeaderLines, headerOf, setsCookie } from '../http/response.ts'
import { assetsPrefix } from '../wire/protocol.ts'
import { cacheStatusHeader, type PageCacheLife } from './cachedPage.ts'

/**
 * Header for responses that depend on their request, which no cache may store.
 *
 * @see RFC 9111 §5.2.2
 */
export const privateNoStore: HeaderLines = [['cache-control', 'private, no-store']]

/**
 * Header for stored pages that the app shows only to some clients. A client may cache its copy, but must revalidate it
 * each time.
 */
export const privateNoCache: HeaderLines = [['cache-control', 'private, no-cache']]

const revalidated = 'public, max-age=0, must-revalidate'

/** Header for responses that are the same for all clients until the next build. */
export const alwaysRevalidated: HeaderLines = [['cache-control', revalidated]]

export function fileCacheControl(pathname: string): string {
  return pathname.startsWith(assetsPrefix) ? 'public, max-age=31536000, immutable' : revalidated
}

const cachingNames: ReadonlySet<string> = new Set(['cache-control', 'cdn-cache-control'])

export function withoutCaching(headers: HeaderLines): HeaderLines {
  return headers.filter(([name]) => !cachingNames.has(name.toLowerCase()))
}

// Headers that the code which sends the response sets itself.
const senderHeaders: ReadonlySet<string> = new Set([
  'content-length',
  'vary',
  'etag',
  'age',
  'date',
])

/**
 * Turns a response to one client into a cached response for all clients, by changing its header
 * lines.
 */
export function cachedPageHeaders(
  status: number,
  headers: HeaderLines,
  life: Omit<PageCacheLife, 'tags'>,
): HeaderLines {
  const shared = headers.filter(([name, value]) => {
    const lower = name.toLowerCase()
    // Drop a `private` or `no-store` line. It was written for one client, but the cached response
    // is for all.
    if (lower === 'cache-control') return isForAll(value)
    return !senderHeaders.has(lower)
  })
  if (headerOf(shared, 'cache-control') !== null) return shared
  // A missing page may exist a minute later, so don't cache an error.
  return [...shared, ...(status < 400 ? cacheControlLines(life) : privateNoStore)]
}

/** True if the app sets its own caching headers. */
export function hasCustomCaching(headers: HeaderLines): boolean {
  const cacheControl = headerOf(headers, 'cache-control')
  return cacheControl !== null && isForAll(cacheControl)
}

function isForAll(cacheControl: string): boolean {
  return !/private|no-store/.test(cacheControl)
}

/**
 * Builds the caching headers of a cached page. Browsers revalidate the page each time; shared
 * caches don't while it is fresh. `stale-while-revalidate` is only sent to shared caches, because
 * Chromium would obey it in `cache-control` and show users the old version of a page that they have
 * just changed.
 *
 * @see RFC 9111 §5.2.2.10, RFC 9213 and RFC 5861 §3
 */
export function cacheControlLines({
  revalidateSeconds,
  expireSeconds,
}: Omit<PageCacheLife, 'tags'>): HeaderLines {
  if (revalidateSeconds === null) return alwaysRevalidated
  const freshSeconds = Math.floor(revalidateSeconds)
  const staleSeconds = Math.floor((expireSeconds ?? 2 * revalidateSeconds) - revalidateSeconds)
  const stale = staleSeconds > 0 ? `, stale-while-revalidate=${staleSeconds}` : ''
  return [
    ['cache-control', `public, max-age=0, s-maxage=${freshSeconds}`],
    ['cdn-cache-control', `public, max-age=${freshSeconds}${stale}`],
  ]
}

// Headers for a response to one client. The empty value removes the page's `cdn-cache-control`.
const forOneClient: HeaderLines = [...privateNoStore, ['cdn-cache-control', '']]

/** Keeps responses that set a cookie out of all caches. */
export function forOneClientIfPersonal(headers: HeaderLines): HeaderLines {
  return setsCookie(headers) ? [...withoutCaching(headers), ...forOneClient] : headers
}

const listHeaders: ReadonlySet<string> = new Set(['set-cookie', 'vary', 'link'])

/**
 * Overrides header lines.
 *
 * @param raw name, value, name, value
 * @param over an empty value removes all lines with this name
 */
export function overrideLines(raw: readonly string[], over: HeaderLines): string[] {
  const replaced = new Set(over.map(([name]) => name.toLowerCase()))
  const rest: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2)
    const lower = name.toLowerCase()
    if (listHeaders.has(lower) || !replaced.has(lower)) rest.push(name, value)
  }
  // The last line must remain content-length, so put added lines first.
  return [...over.filter(([, value]) => value !== '').flat(), ...rest]
}

// Headers that describe a body. A refusal has a different body and different caching headers, so it
// doesn't repeat them.
const bodyHeaders: ReadonlySet<string> = new Set([
  'accept-ranges',
  'age',
  'cache-control',
  'cdn-cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'link',
  'x-content-type-options',
  cacheStatusHeader,
])

/**
 * Selects the header lines that a 412 or 416 keeps from the full response: security headers,
 * cookies and the app's own headers, but none that describe the body.
 * @param full name, value, name, value
 * @param size size of the whole body in bytes
 */
export function refusedResponseLines(
  full: readonly string[],
  status: 412 | 416,
  size: number,
): string[] {
  const lines: string[] = status === 416 ? ['content-range', `bytes */${size}`] : []
  for (let at = 0; at < full.length; at += 2) {
    const [name = '', value = ''] = full.slice(at, at + 2)
    if (!bodyHeaders.has(name.toLowerCase())) lines.push(name, value)
  }
  return lines
}
