import { listCaches } from './cacheNames.ts'

/** How long a part of a page is good: its document, or its data. */
export type CachedPart = {
  readonly savedAtMs: number
  readonly expiresAtMs: number
}

/** What is known of a kept page: its document has it as a header in the browser's cache storage. */
export type CachedEntry = CachedPart & {
  /** Path and query of its document. */
  readonly url: string
  /** Of the page's document, as in its HTML: with entities. */
  readonly title: string
  /** The app's own offline page: nobody goes there. */
  readonly isScreen: boolean
  /** URL of its data. */
  readonly data: string
  /** Size of document and data. */
  readonly bytes: number
  readonly files: readonly CachedFile[]
}

export type CachedFile = readonly [path: string, bytes: number]

const cachedHeader = 'waymark-kept'

/** Pages that nobody has opened with a network for so long are not shown any more. */
export const maxAgeMs = 30 * 86_400_000

/** Adds to the headers of a response what is known of it. */
export function writeCacheHeader(headers: Headers, entry: CachedPart | CachedEntry): Headers {
  const written = new Headers(headers)
  // Titles may be in any language, and headers not.
  written.set(cachedHeader, encodeURIComponent(JSON.stringify(entry)))
  return written
}

/** The inverse of `writeKept`; `null` for what is no part of a page. */
export function readCacheHeader({ headers }: Response): CachedPart | CachedEntry | null {
  return JSON.parse(decodeURIComponent(headers.get(cachedHeader) ?? 'null'))
}

/** A page in a cache. */
export type CachedPage = CachedEntry & {
  readonly cache: string
  readonly build: string
  readonly isPrivate: boolean
}

/** Lists the pages that are kept, the latest first; one of several builds more than once. */
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

/** What may be opened of the pages that are kept: each once, the latest first. */
export function openablePages(pages: readonly CachedPage[], nowMs: number): CachedPage[] {
  const usable = pages.filter(({ expiresAtMs, isScreen }) => nowMs < expiresAtMs && !isScreen)
  return usable.filter(({ url }, at) => usable.findIndex((page) => page.url === url) === at)
}
