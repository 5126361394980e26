import type { CachedPage } from '../shared/cachedPage.ts'

export type Limits = {
  readonly maxBytes: number
  readonly nowMs: number
  /** True for a page that was cached in advance. Other pages are deleted first. */
  readonly isPinned: (page: CachedPage) => boolean
}

/**
 * Chooses the pages to delete: expired pages, and the oldest ones if there isn't enough room. A file that
 * several pages of a build share is counted once.
 * @param pages newest first
 */
export function pagesToDrop(pages: readonly CachedPage[], limits: Limits): CachedPage[] {
  const { maxBytes, nowMs, isPinned } = limits
  const counted = new Set<string>()
  let total = 0
  const hasRoom = ({ build, bytes, files, expiresAtMs }: CachedPage) => {
    const added = files.filter(([path]) => !counted.has(build + path))
    const after = added.reduce((sum, [, fileBytes]) => sum + fileBytes, total + bytes)
    if (nowMs >= expiresAtMs || after > maxBytes) return false
    total = after
    for (const [path] of added) counted.add(build + path)
    return true
  }
  const ranked = [...pages.filter(isPinned), ...pages.filter((page) => !isPinned(page))]
  return ranked.filter((page) => !hasRoom(page))
}
