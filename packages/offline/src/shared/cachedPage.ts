import { listCaches } from './cacheNames.ts'

/** Times of one part of a cached page: its document or its data. */
export type CachedPart = {
  readonly savedAtMs: number
  readonly expiresAtMs: number
}

/** A cached page, as described in a header of its cached document. */
export type CachedEntry = CachedPart & {
  /** Path and query of the document. */
  readonly url: string
  /** The document's title as in its HTML, with entities. */
  readonly title: string
  /** True for the app's own offline page, which isn't listed. */
  readonly isScreen: boolean
  /** URL of the page's data. */
  readonly data: string
  /** Size of the document and the data together. */
  readonly bytes: number
  readonly files: readonly CachedFile[]
}

export type CachedFile = readonly [path: string, bytes: number]

const cachedHeader = 'waymark-saved'

/** Milliseconds since a page was last opened online, after which the page is no longer shown. */
export const maxAgeMs = 30 * 86_400_000

/** Adds the description of a cached part or page to the headers of its response. */
export function writeCacheHeader(headers: Headers, entry: CachedPart | CachedEntry): Headers {
  const written = new Headers(headers)
  // Header values are limited to Latin-1, but titles can be in any language, so encode the
  // description.
  written.set(cachedHeader, encodeURIComponent(JSON.stringify(entry)))
  return written
}

/** The inverse of `writeCacheHeader`. Returns `null` for a response that isn't part of a page. */
export function readCacheHeader({ headers }: Response): CachedPart | CachedEntry | null {
  return JSON.parse(decodeURIComponent(headers.get(cachedHeader) ?? 'null'))
}

/** A cached page, with the cache that contains it. */
export type CachedPage = CachedEntry & {
  readonly cache: string
  readonly build: string
  readonly isPrivate: boolean
}

/**
 * Lists the cached pages, newest first. A page that several builds have cached is listed several
 * times.
 */
export async function listCachedPages(
  storage: CacheStorage,
  basePath: string,
): Promise<CachedPage[]> {
  const pages: CachedPage[] = []
  for (const { name, build, seal } of await listCaches(storage, basePath)) {
    for (const response of await (await storage.open(name)).matchAll()) {
      const entry = readCacheHeader(response)
      const place = { cache: name, build, isPrivate: seal !== null }
      if (entry && 'files' in entry) pages.push({ ...entry, ...place })
    }
  }
  return pages.sort((a, b) => b.savedAtMs - a.savedAtMs)
}

/** Returns the pages that a visitor can open, newest first. Each URL appears once. */
export function openablePages(pages: readonly CachedPage[], nowMs: number): CachedPage[] {
  const usable = pages.filter(({ expiresAtMs, isScreen }) => nowMs < expiresAtMs && !isScreen)
  return usable.filter(({ url }, at) => usable.findIndex((page) => page.url === url) === at)
}
