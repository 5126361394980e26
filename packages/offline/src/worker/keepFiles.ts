import type { KeptFile } from '../shared/keptEntry.ts'
import type { WorkerSettings } from '../shared/messages.ts'
import type { KeptPages } from './keptPages.ts'
import { type NamedFiles, namedFiles } from './namedFiles.ts'
import { isPublic, type WholeResponse } from './wholeResponse.ts'

export type FileKeeper = ReturnType<typeof createFileKeeper>

type ReadFile = { readonly bytes: number; readonly named: NamedFiles }

const nothing: NamedFiles = { needed: [], wanted: [] }

/** Keeps the files of pages: their code and styles, and what they show, as far as there is room. */
export function createFileKeeper({ basePath, maxBytes }: WorkerSettings, pages: KeptPages) {
  const assets = `${basePath}/_waymark/assets/`

  async function read(path: string, response: Response): Promise<ReadFile> {
    const bytes = await response.arrayBuffer()
    const type = response.headers.get('content-type') ?? ''
    const isText = /javascript|css/.test(type)
    const text = isText ? new TextDecoder().decode(bytes) : ''
    const named = isText
      ? namedFiles(text, type, new URL(path, location.href).href, assets)
      : nothing
    return { bytes: bytes.byteLength, named }
  }

  /** @returns `null` for what can't be kept, or is too large */
  async function keepFile(path: string, maxBytes: number): Promise<ReadFile | null> {
    const cache = await pages.own()
    const own = await cache.match(path, { ignoreVary: true })
    if (own) return read(path, own)
    const response = await fetch(path, { priority: 'low' })
    const isTooLarge = Number(response.headers.get('content-length')) > maxBytes
    if (response.status !== 200 || response.redirected || isTooLarge || !isPublic(response)) {
      await response.body?.cancel()
      return null
    }
    const copy = response.clone()
    const file = await read(path, response)
    if (file.bytes > maxBytes) return null
    await cache.put(path, copy)
    return file
  }

  async function keepAll(
    paths: readonly string[],
    isNeeded: boolean,
    files: Map<string, ReadFile>,
  ) {
    for (const left = [...paths]; left.length > 0; ) {
      const path = left.splice(0, 1)[0] as string
      if (files.has(path)) continue
      const room = isNeeded ? maxBytes : maxBytes / 8 - bytesIn(files)
      const keeping = keepFile(path, room)
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
     * @param shown what a tab has loaded for the page
     * @returns what was kept; `null` where code of the page is missing
     */
    async keep(document: WholeResponse, url: string, shown: readonly string[]) {
      const { href } = new URL(url, location.href)
      const { needed, wanted } = namedFiles(document.text, 'text/html', href, assets)
      const files = new Map<string, ReadFile>()
      if (!(await keepAll(needed, true, files))) return null
      const later = [...files.values()].flatMap(({ named }) => named.wanted)
      await keepAll([...shown, ...wanted, ...later], false, files)
      return [...files].map(([path, { bytes }]): KeptFile => [path, bytes])
    },
  }
}

function bytesIn(files: ReadonlyMap<string, ReadFile>): number {
  return [...files.values()].reduce((sum, { bytes }) => sum + bytes, 0)
}
