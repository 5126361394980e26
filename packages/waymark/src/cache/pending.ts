import type { CacheEntry, InvalidationMode } from './driver.ts'
import type { Freshness } from './freshness.ts'

/** Invalidations that other processes could not be told of yet. */
export type InvalidationOutbox = {
  add(tags: readonly string[], mode: InvalidationMode): void
  /** Tells them, some at a time, until one of them can't be told; once at a time. */
  tell(to: (tags: readonly string[], mode: InvalidationMode) => Promise<boolean>): Promise<void>
  /** What its tags say about an entry. */
  freshness(entry: Pick<CacheEntry, 'tags'>): Freshness
}

// In bounds, should Redis be away, or a disk be full, for days.
const maxPending = 100_000
const atOnce = 1_000

/** Makes a list of them, empty. */
export function createInvalidationOutbox(): InvalidationOutbox {
  // A mark of its own for each: what is added while it is told has to be told again.
  const pending = new Map<string, Mark>()
  let isTelling = false

  function some(): { marks: [string, Mark][]; mode: InvalidationMode } | null {
    const [first] = pending.values()
    if (!first) return null
    const marks = [...pending].filter(([, { mode }]) => mode === first.mode).slice(0, atOnce)
    return { marks, mode: first.mode }
  }

  return {
    add(tags, mode) {
      for (const tag of tags) {
        const isKnown = pending.has(tag)
        if (!isKnown && pending.size >= maxPending) continue
        pending.set(tag, { mode: pending.get(tag)?.mode === 'expired' ? 'expired' : mode })
      }
    },
    async tell(to) {
      if (isTelling) return
      isTelling = true
      try {
        for (let next = some(); next; next = some()) {
          const tags = next.marks.map(([tag]) => tag)
          if (!(await to(tags, next.mode))) return
          for (const [tag, mark] of next.marks) if (pending.get(tag) === mark) pending.delete(tag)
        }
      } finally {
        isTelling = false
      }
    },
    freshness({ tags }) {
      if (pending.size === 0) return 'fresh'
      const found = tags.map((tag) => pending.get(tag)?.mode)
      return found.includes('expired') ? 'expired' : found.includes('stale') ? 'stale' : 'fresh'
    },
  }
}

type Mark = { readonly mode: InvalidationMode }
