import { isUsable, type KeptPage } from '../shared/keptEntry.ts'

export type Limits = {
  readonly maxBytes: number
  readonly nowMs: number
  /** Pages of this build that stay as long as others are there: those kept in advance. */
  readonly pinned: ReadonlySet<string>
  readonly build: string
}

/** Space that kept pages take up, their files counted once for each build. */
export function bytesOf(pages: readonly KeptPage[]): number {
  const counted = new Set<string>()
  let bytes = 0
  for (const page of pages) {
    bytes += page.bytes
    for (const file of page.files) {
      const id = `${page.build} ${file.path}`
      if (!counted.has(id)) bytes += file.bytes
      counted.add(id)
    }
  }
  return bytes
}

/** Chooses the pages that have to go: those that have expired, then the ones kept the longest. */
export function pagesToDrop(pages: readonly KeptPage[], limits: Limits): KeptPage[] {
  const { maxBytes, nowMs, pinned, build } = limits
  const dropped = pages.filter((page) => !isUsable(page, nowMs))
  const isPinned = (page: KeptPage) => page.build === build && pinned.has(page.url)
  const left = pages
    .filter((page) => !dropped.includes(page))
    .sort((a, b) => Number(isPinned(a)) - Number(isPinned(b)) || a.savedAtMs - b.savedAtMs)
  while (left.length > 0 && bytesOf(left) > maxBytes) dropped.push(...left.splice(0, 1))
  return dropped
}

/** Files of dropped pages that no page of their build names any more. */
export function unusedFiles(dropped: readonly KeptPage[], left: readonly KeptPage[]) {
  return dropped.flatMap(({ build, files }) => {
    const others = left.filter((page) => page.build === build)
    const isUsed = (path: string) => others.some((page) => page.files.some((f) => f.path === path))
    return files.filter(({ path }) => !isUsed(path)).map(({ path }) => ({ build, path }))
  })
}
