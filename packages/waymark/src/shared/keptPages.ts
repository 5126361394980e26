import type { CachedResponse } from './answer.ts'

/** How old what is sent is: fresh, being rendered anew, or just rendered. */
export type CacheStatus = 'hit' | 'stale' | 'miss'

/** A kept answer that was found; `built` is the file that the build wrote for the URL. */
export type FoundResponse = {
  readonly answer: CachedResponse | 'built'
  /** Since it was rendered; `null` where no cache on the way needs to know. */
  readonly ageSeconds: number | null
}

/**
 * Finds what is fresh in memory for a URL.
 * @param target path and query, as sent
 * @returns `null` when the handler has to be asked
 */
export type FindCached = (target: string) => FoundResponse | null

/** How long a page may be kept, and what ends it earlier. */
export type PageCacheLife = {
  readonly tags: readonly string[]
  /** Seconds until it is stale: served once more, and rendered anew. `null`: only a tag says so. */
  readonly revalidateSeconds: number | null
  /** Seconds until it is not served any more. `null`: never. */
  readonly expireSeconds: number | null
}

/** A page that the build has rendered; the time is that of the build. */
export type BuiltPage = PageCacheLife & {
  readonly renderedAtMs: number
  /** Whether the app itself says what caches may do with it. */
  readonly hasOwnCaching?: boolean
  /** Of a page that is static in part: reads its shell, as a cache keeps it. */
  readonly readShell?: () => Uint8Array
}

/** Tells what the build has rendered, by canonical pathname. */
export type FindBuilt = (pathname: string) => BuiltPage | null

/** Tells which answer came from where, for debugging: a `KeptState`. */
export const cacheStatusHeader = 'waymark-cache'

/** The cookie by which somebody sees pages that are never kept. */
export const draftCookie = '__waymark_draft'
