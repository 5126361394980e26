import { verifyStream } from 'waymark/internal'
import { type PageUrls, savedAtHeader } from '../shared/messages.ts'

/** Names of caches begin with it: what removes the worker removes these. */
const cachePrefix = 'waymark-offline-'

export type KeptPages = ReturnType<typeof createKeptPages>

/** Pages of a build with their files, in the browser's cache storage. */
export function createKeptPages(build: string, storage: CacheStorage) {
  const ownName = cachePrefix + build

  async function keepFile(cache: Cache, url: string): Promise<string> {
    const known = await storage.match(url)
    const response = known ?? (await fetch(url))
    if (!response.ok || response.redirected) return ''
    await cache.put(url, response.clone())
    return isText(response) ? response.text() : ''
  }

  return {
    /** Fetches a page and what it names. Nothing is kept where a part of it fails. */
    async keep({ document, data }: PageUrls, files: readonly string[]): Promise<void> {
      const [page, payload] = await Promise.all([fetchPart(document), fetchPart(data)])
      if (!page || !payload) return
      const cache = await storage.open(ownName)
      const named = filesIn(`${page.text}${payload.text}`, document)
      const known = new Set<string>()
      for (let left = [...files, ...named]; left.length > 0; ) {
        const added = left.filter((url) => !known.has(url))
        for (const url of added) known.add(url)
        const texts = await Promise.all(
          added.map(async (url) => filesIn(await keepFile(cache, url), url)),
        )
        left = texts.flat()
      }
      await Promise.all([cache.put(document, page.response), cache.put(data, payload.response)])
    },
    /** Finds what was kept at a URL, in this build before others. */
    async find(url: string): Promise<Response | undefined> {
      const own = await (await storage.open(ownName)).match(url)
      return own ?? storage.match(url)
    },
  }
}

async function fetchPart(url: string) {
  const response = await fetch(url, { cache: 'no-cache' })
  if (response.status !== 200 || response.redirected || !isPublic(response)) return null
  const { body, headers } = response
  if (!body) return null
  const isData = headers.get('content-type')?.startsWith('text/x-component') === true
  const bytes = await new Response(body).arrayBuffer()
  if (isData) await verifyStream(new Blob([bytes]).stream(), () => {}).whole
  const kept = new Headers(headers)
  kept.set(savedAtHeader, String(Date.now()))
  return { text: new TextDecoder().decode(bytes), response: new Response(bytes, { headers: kept }) }
}

function isPublic({ headers }: Response): boolean {
  return !/\b(?:private|no-store)\b/.test(headers.get('cache-control') ?? 'private')
}

function isText({ headers }: Response): boolean {
  return /javascript|css/.test(headers.get('content-type') ?? '')
}

/** Files of a build that a text names. @param from the URL of the text */
function filesIn(text: string, from: string): string[] {
  const base = new URL(from, location.href)
  const named = text.matchAll(/["'(]((?:\.{1,2}\/|\/)[^"'()\s\\]+\.[a-z0-9]{2,5})["')]/g)
  const urls = [...named].map(([, path = '']) => new URL(path, base))
  return urls.filter(({ origin }) => origin === base.origin).map(({ pathname }) => pathname)
}
