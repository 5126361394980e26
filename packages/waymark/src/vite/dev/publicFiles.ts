import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { canonicalPathname } from '../../node/static/manifest.ts'
import { contentTypeOf } from '../../node/static/mediaTypes.ts'
import { unmounted } from '../../shared/basePath.ts'
import type { BuiltPages } from '../../shared/cachedPage.ts'
import type { HandlerResponse } from '../../shared/response.ts'

export type FilesEntry = {
  attachBuilt(pages: BuiltPages): void
  isProxiedFile(pathname: string): boolean
}

/**
 * Creates what sends the files of `public/` that the handler names in its response; Vite sends all
 * others.
 * @param folder empty where the app has none
 */
export function createPublicFiles(folder: string) {
  const fileOf = (pathname: string) => path.join(folder, decodeURIComponent(pathname))

  function has(pathname: string): boolean {
    const file = fileOf(pathname)
    if (folder === '' || !file.startsWith(`${folder}${path.sep}`)) return false
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true
  }

  function withFile(response: HandlerResponse): HandlerResponse {
    const { prerendered: pathname, headers } = response
    if (pathname === undefined || !has(pathname)) return response
    const lines: HandlerResponse['headers'] = [
      ['content-type', contentTypeOf(pathname)],
      ...headers,
    ]
    const body = readFileSync(fileOf(pathname))
    return { status: 200, headers: lines.filter(([, value]) => value !== ''), body }
  }

  return { has, withFile }
}

/** Tells whether a request is for a file of `public/` that proxy.ts sees first. */
export async function isForProxiedFile(
  dev: {
    readonly basePath: string
    readonly files: ReturnType<typeof createPublicFiles>
    loadEntry(): Promise<FilesEntry>
  },
  url: string,
): Promise<boolean> {
  const pathname = canonicalPathname(unmounted(url, dev.basePath) ?? '')
  if (pathname === null || !dev.files.has(pathname)) return false
  const entry = await dev.loadEntry()
  return entry.isProxiedFile(pathname)
}
