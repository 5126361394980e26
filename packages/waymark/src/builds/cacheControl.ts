import { type HeaderLines, headerOf, setsCookie } from '../http/response.ts'
import { assetsPrefix } from '../wire/protocol.ts'
import { cacheStatusHeader, type PageCacheLife } from './cachedPage.ts'

/** For what depends on its request: no cache may store it. @see RFC 9111 §5.2.2 */
export const privateNoStore: HeaderLines = [['cache-control', 'private, no-store']]

/** For a stored page that code of the app lets only some clients see: theirs may keep it, and ask again. */
export const privateNoCache: HeaderLines = [['cache-control', 'private, no-cache']]

export function fileCacheControl(pathname: string): string {
  return pathname.startsWith(assetsPrefix) ? 'public, max-age=31536000, immutable' : revalidated
}

const revalidated = 'public, max-age=0, must-revalidate'

const cachingNames: ReadonlySet<string> = new Set(['cache-control', 'cdn-cache-control'])

export function withoutCaching(headers: HeaderLines): HeaderLines {
  return headers.filter(([name]) => !cachingNames.has(name.toLowerCase()))
}

// Whoever sends the response says these.
const senderHeaders: ReadonlySet<string> = new Set([
  'content-length',
  'vary',
  'etag',
  'age',
  'date',
])

/** Turns the header lines of a response for one client into those of a cached one. */
export function cachedPageHeaders(
  status: number,
  headers: HeaderLines,
  life: Omit<PageCacheLife, 'tags'>,
): HeaderLines {
  const shared = headers.filter(([name, value]) => {
    const lower = name.toLowerCase()
    // Written for one client, whereas this response is for all.
    if (lower === 'cache-control') return isForAll(value)
    return !senderHeaders.has(lower)
  })
  if (headerOf(shared, 'cache-control') !== null) return shared
  // What was missing may be there in a minute.
  return [...shared, ...(status < 400 ? cacheControlLines(life) : privateNoStore)]
}

/** True when the app itself says what caches may do. */
export function hasOwnCaching(headers: HeaderLines): boolean {
  const cacheControl = headerOf(headers, 'cache-control')
  return cacheControl !== null && isForAll(cacheControl)
}

function isForAll(cacheControl: string): boolean {
  return !/private|no-store/.test(cacheControl)
}

/**
 * Browsers revalidate a cached page each time; shared caches need not while it is fresh.
 * `stale-while-revalidate` is for shared caches only: in `cache-control`, Chromium would obey it
 * and show a page that its reader has just changed as it was before.
 * @see RFC 9111 §5.2.2.10, RFC 9213 and RFC 5861 §3
 */
export function cacheControlLines({
  revalidateSeconds,
  expireSeconds,
}: Omit<PageCacheLife, 'tags'>): HeaderLines {
  if (revalidateSeconds === null) return [['cache-control', revalidated]]
  const freshSeconds = Math.floor(revalidateSeconds)
  const staleSeconds = Math.floor((expireSeconds ?? 2 * revalidateSeconds) - revalidateSeconds)
  const stale = staleSeconds > 0 ? `, stale-while-revalidate=${staleSeconds}` : ''
  return [
    ['cache-control', `public, max-age=0, s-maxage=${freshSeconds}`],
    ['cdn-cache-control', `public, max-age=${freshSeconds}${stale}`],
  ]
}

// An empty value removes the page's lines for CDNs.
const forOneClient: HeaderLines = [...privateNoStore, ['cdn-cache-control', '']]

/** Keeps a response that sets a cookie out of every cache. */
export function forOneClientIfPersonal(headers: HeaderLines): HeaderLines {
  return setsCookie(headers) ? [...withoutCaching(headers), ...forOneClient] : headers
}

const listHeaders: ReadonlySet<string> = new Set(['set-cookie', 'vary', 'link'])

/**
 * Overrides header lines.
 * @param raw name, value, name, value
 * @param over an empty value removes the lines of its name
 */
export function overrideLines(raw: readonly string[], over: HeaderLines): string[] {
  const replaced = new Set(over.map(([name]) => name.toLowerCase()))
  const rest: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2)
    const lower = name.toLowerCase()
    if (listHeaders.has(lower) || !replaced.has(lower)) rest.push(name, value)
  }
  // The last line must stay content-length.
  return [...over.filter(([, value]) => value !== '').flat(), ...rest]
}

// Header lines of a stored body: a refusal has a body and cache lines of its own.
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
 * Selects the header lines that a 412 or a 416 keeps of the full response: the security headers, cookies
 * and headers of the app, but not those of the body.
 * @param full raw
 * @param size of the whole body, in bytes
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
