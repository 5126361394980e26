/** Page data that was fetched ahead: whole, and known to be. */
export type Prefetched = {
  readonly bytes: Uint8Array
  readonly fetchedAtMs: number
  /** Id of the build that answered. */
  readonly build: string | null
}

/** Pages that were fetched ahead, while they are fresh. */
export type PrefetchCache = {
  has(key: string): boolean
  /** It was there, and is not fresh any more. */
  isOver(key: string): boolean
  set(key: string, page: Omit<Prefetched, 'fetchedAtMs'>): void
  /** Gives a page out, to be shown. */
  use(key: string): Prefetched | null
  /** All of them are not fresh any more. */
  clear(): void
  counts(): PrefetchCounts
}

/** What became of them. */
export type PrefetchCounts = {
  /** Pages that came, and the bytes of their data. */
  readonly fetched: number
  readonly bytes: number
  /** Times that one was shown. */
  readonly used: number
  /** Those that never were, and are not fresh any more. */
  readonly wasted: number
}

const freshMs = 30_000

/** Makes the place that keeps them. */
export function createPrefetchCache(now: () => number): PrefetchCache {
  const pages = new Map<string, Prefetched | null>()
  const shown = new Set<Prefetched>()
  const counts = { fetched: 0, bytes: 0, used: 0, wasted: 0 }

  function freshOne(key: string): Prefetched | null {
    for (const [each, page] of pages) {
      if (page && now() - page.fetchedAtMs >= freshMs) drop(each, page)
    }
    return pages.get(key) ?? null
  }
  // Its data is let go; that it was there is not forgotten.
  function drop(key: string, page: Prefetched): void {
    if (!shown.delete(page)) counts.wasted++
    pages.set(key, null)
  }
  return {
    has: (key) => freshOne(key) !== null,
    isOver: (key) => freshOne(key) === null && pages.has(key),
    set(key, { bytes, build }) {
      pages.set(key, { bytes, build, fetchedAtMs: now() })
      counts.fetched++
      counts.bytes += bytes.length
    },
    use(key) {
      const page = freshOne(key)
      if (!page) return null
      shown.add(page)
      counts.used++
      return page
    },
    clear() {
      for (const [key, page] of pages) if (page) drop(key, page)
    },
    counts() {
      freshOne('')
      return { ...counts }
    },
  }
}
