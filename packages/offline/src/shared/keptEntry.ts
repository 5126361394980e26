import { listCaches } from './cacheNames.ts'

/** A kept page, as headers of its document tell in the browser's cache storage. */
export type KeptEntry = {
  readonly savedAtMs: number
  /** When a private page goes; `null` for pages that are for all. */
  readonly expiresAtMs: number | null
  /** Of the page's document, as in its HTML: with entities. */
  readonly title: string
  /** Of its data. */
  readonly data: string
  /** Size of document and data. */
  readonly bytes: number
  readonly files: readonly KeptFile[]
}

export type KeptFile = { readonly path: string; readonly bytes: number }

const savedHeader = 'waymark-saved-at'
const expiresHeader = 'waymark-expires'
const pageHeader = 'waymark-kept-page'

/** Pages that nobody has opened with a network for so long are not served any more. */
export const maxAgeMs = 30 * 86_400_000

type Part = Pick<KeptEntry, 'savedAtMs' | 'expiresAtMs'>

/** Headers of a part of a page: of its data. */
export function writePart(headers: Headers, { savedAtMs, expiresAtMs }: Part): Headers {
  const written = new Headers(headers)
  written.set(savedHeader, String(savedAtMs))
  if (expiresAtMs !== null) written.set(expiresHeader, String(expiresAtMs))
  return written
}

/** Headers of a page's document, which stands for the page. */
export function writeEntry(headers: Headers, { title, data, bytes, files, ...part }: KeptEntry) {
  const written = writePart(headers, part)
  const listed = files.map((file) => [file.path, file.bytes])
  written.set(pageHeader, encodeURIComponent(JSON.stringify([title, data, bytes, listed])))
  return written
}

/** @returns `null` for what was not kept as a part of a page */
export function readPart(headers: Headers): Part | null {
  const savedAtMs = Number(headers.get(savedHeader))
  const expires = headers.get(expiresHeader)
  return savedAtMs > 0
    ? { savedAtMs, expiresAtMs: expires === null ? null : Number(expires) }
    : null
}

/** The inverse of `writeEntry`; `null` for what is no page's document. */
export function readEntry(headers: Headers): KeptEntry | null {
  const part = readPart(headers)
  const page = headers.get(pageHeader)
  if (!part || page === null) return null
  const [title, data, bytes, listed] = JSON.parse(decodeURIComponent(page)) as [
    title: string,
    data: string,
    bytes: number,
    files: [path: string, bytes: number][],
  ]
  return { ...part, title, data, bytes, files: listed.map(([path, bytes]) => ({ path, bytes })) }
}

/** Whether a kept response may still be shown. */
export function isUsable({ savedAtMs, expiresAtMs }: Part, nowMs: number): boolean {
  return nowMs < (expiresAtMs ?? savedAtMs + maxAgeMs)
}

/** A page in a cache. */
export type KeptPage = KeptEntry & {
  /** Path and query of its document. */
  readonly url: string
  readonly cache: string
  readonly build: string
  readonly isPrivate: boolean
}

/** Lists the pages that are kept, the latest first; one of several builds more than once. */
export async function listKept(storage: CacheStorage): Promise<KeptPage[]> {
  const pages: KeptPage[] = []
  for (const { name, build, seal } of await listCaches(storage)) {
    const cache = await storage.open(name)
    for (const request of await cache.keys()) {
      const response = await cache.match(request, { ignoreVary: true })
      const entry = response && readEntry(response.headers)
      const { pathname, search } = new URL(request.url)
      const place = { url: pathname + search, cache: name, build, isPrivate: seal !== null }
      if (entry) pages.push({ ...entry, ...place })
    }
  }
  return pages.sort((a, b) => b.savedAtMs - a.savedAtMs)
}

/** What may be opened of the pages that are kept: each once, the latest first. */
export function openablePages(pages: readonly KeptPage[], nowMs: number): KeptPage[] {
  const usable = pages.filter((page) => isUsable(page, nowMs))
  return usable.filter(({ url }, at) => usable.findIndex((page) => page.url === url) === at)
}
