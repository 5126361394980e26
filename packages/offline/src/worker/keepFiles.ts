import type { CachedFile } from '../shared/cachedPage.ts'
import type { WorkerSettings } from '../shared/messages.ts'
import { type NamedFiles, namedFiles } from './namedFiles.ts'
import type { PageStore } from './pageStore.ts'
import { hrefOf } from './scope.ts'
import { fetchQuietly, isPublic, type WholeResponse } from './wholeResponse.ts'

export type FileKeeper = ReturnType<typeof createFileKeeper>

type ReadFile = { readonly bytes: number; readonly named: NamedFiles }

/** Caches pages' files: first code and styles, then other files as far as there is room. */
export function createFileKeeper(settings: WorkerSettings, pages: PageStore) {
  const { basePath, maxBytes, wantedShare } = settings
  const assets = `${basePath}/_waymark/assets/`

  async function keepAll(
    paths: readonly string[],
    isNeeded: boolean,
    files: Map<string, ReadFile>,
  ) {
    const left = [...paths]
    // Files may append paths to `left` during the loop, which visits them as well.
    for (const path of left) {
      if (files.has(path)) continue
      const room = isNeeded ? maxBytes : maxBytes * wantedShare - bytesIn(files)
      const keeping = pages.publicCache().then((cache) => keepFile(path, room, cache, assets))
      const file = isNeeded ? await keeping : await keeping.catch(() => null)
      if (file) {
        files.set(path, file)
        left.push(...file.named.needed, ...(isNeeded ? [] : file.named.wanted))
      } else if (isNeeded) return false
    }
    return true
  }

  return {
    /**
     * @param loadedUrls files that a tab has loaded for the page
     * @returns the cached files; `null` if code of the page is missing
     */
    async keep(document: WholeResponse, url: string, loadedUrls: readonly string[]) {
      const { needed, wanted } = namedFiles(document.text, 'text/html', hrefOf(url), assets)
      const files = new Map<string, ReadFile>()
      if (!(await keepAll(needed, true, files))) return null
      const later = [...files.values()].flatMap(({ named }) => named.wanted)
      await keepAll([...loadedUrls, ...wanted, ...later], false, files)
      return [...files].map(([path, { bytes }]): CachedFile => [path, bytes])
    },
  }
}

/** @returns `null` if the file can't be cached or is too large */
export async function keepFile(
  path: string,
  maxBytes: number,
  cache: Cache,
  assets: string,
): Promise<ReadFile | null> {
  const cached = await cache.match(path)
  if (cached) return readFile(path, cached, assets)
  const response = await fetchQuietly(path)
  const isTooLarge = Number(response.headers.get('content-length')) > maxBytes
  if (response.status !== 200 || response.redirected || isTooLarge || !isPublic(response)) {
    await response.body?.cancel()
    return null
  }
  const copy = response.clone()
  const file = await readFile(path, response, assets)
  if (file.bytes > maxBytes) return null
  await cache.put(path, copy)
  return file
}

async function readFile(path: string, response: Response, assets: string): Promise<ReadFile> {
  const bytes = await response.arrayBuffer()
  const type = response.headers.get('content-type') ?? ''
  const isText = /javascript|css/.test(type)
  const named = isText
    ? namedFiles(new TextDecoder().decode(bytes), type, hrefOf(path), assets)
    : { needed: [], wanted: [] }
  return { bytes: bytes.byteLength, named }
}

function bytesIn(files: ReadonlyMap<string, ReadFile>): number {
  let sum = 0
  for (const file of files.values()) sum += file.bytes
  return sum
}
