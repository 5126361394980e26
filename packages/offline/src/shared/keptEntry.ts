import { listCaches } from './cacheNames.ts'

/** How long a part of a page is good: its document, or its data. */
export type KeptPart = {
  readonly savedAtMs: number
  readonly expiresAtMs: number
}

/** What is known of a kept page: its document has it as a header in the browser's cache storage. */
export type KeptEntry = KeptPart & {
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
  readonly files: readonly KeptFile[]
}

export type KeptFile = readonly [path: string, bytes: number]

const keptHeader = 'waymark-kept'

/** Pages that nobody has opened with a network for so long are not shown any more. */
export const maxAgeMs = 30 * 86_400_000

/** Adds to the headers of a response what is known of it. */
export function writeKept(headers: Headers, kept: KeptPart | KeptEntry): Headers {
  const written = new Headers(headers)
  // Titles may be in any language, and headers not.
  written.set(keptHeader, encodeURIComponent(JSON.stringify(kept)))
  return written
}

/** The inverse of `writeKept`; `null` for what is no part of a page. */
export function readKept({ headers }: Response): KeptPart | KeptEntry | null {
  return JSON.parse(decodeURIComponent(headers.get(keptHeader) ?? 'null'))
}

/** A page in a cache. */
export type KeptPage = KeptEntry & {
  readonly cache: string
  readonly build: string
  readonly isPrivate: boolean
}

/** Lists the pages that are kept, the latest first; one of several builds more than once. */
export async function listKept(storage: CacheStorage, basePath: string): Promise<KeptPage[]> {
  const pages: KeptPage[] = []
  for (const { name, build, seal } of await listCaches(storage, basePath)) {
    for (const response of await (await storage.open(name)).matchAll()) {
      const kept = readKept(response)
      const place = { cache: name, build, isPrivate: seal !== null }
      if (kept && 'files' in kept) pages.push({ ...kept, ...place })
    }
  }
  return pages.sort((a, b) => b.savedAtMs - a.savedAtMs)
}

/** What may be opened of the pages that are kept: each once, the latest first. */
export function openablePages(pages: readonly KeptPage[], nowMs: number): KeptPage[] {
  const usable = pages.filter(({ expiresAtMs, isScreen }) => nowMs < expiresAtMs && !isScreen)
  return usable.filter(({ url }, at) => usable.findIndex((page) => page.url === url) === at)
}
