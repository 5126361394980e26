import type { HeaderLines } from './answer.ts'

/** For what depends on its request: no cache may store it. @see RFC 9111 §5.2.2 */
export const privateNoStore: HeaderLines = [['cache-control', 'private, no-store']]

const cachingNames: ReadonlySet<string> = new Set(['cache-control', 'cdn-cache-control'])

/** The value of the first `cache-control` line; `null` where there is none. */
export function cacheControlOf(headers: HeaderLines): string | null {
  return headers.find(([name]) => name.toLowerCase() === 'cache-control')?.[1] ?? null
}

/** The lines that say nothing to caches. */
export function withoutCaching(headers: HeaderLines): HeaderLines {
  return headers.filter(([name]) => !cachingNames.has(name.toLowerCase()))
}
