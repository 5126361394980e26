import { randomUUID } from 'node:crypto'
import type { CacheDriver, MemoryDriver } from 'waymark/internal/server'
import { everything } from './liveTags.ts'

/** Tells whether tags were invalidated since a page was rendered. */
export function createClock(memory: MemoryDriver) {
  /** Positions in memory count in this process only. */
  const process = randomUUID().slice(0, 8)
  /** Knows what was invalidated before this process, and by others. */
  let shared: CacheDriver | null = null

  /** What this process has changed, its driver may know a little later: memory knows it at once. */
  function isChangedHere(tags: readonly string[], position: number): boolean {
    if (tags.includes(everything)) return memory.position() !== position
    return memory.freshnessByTags({ tags, position }) !== 'fresh'
  }

  function isChangedAnywhere(tags: readonly string[], position: number): boolean {
    if (!shared) return true
    if (tags.includes(everything)) return shared.position() !== position
    return shared.freshnessByTags?.({ tags, position }) !== 'fresh'
  }

  return {
    process,
    attach(driver: CacheDriver): void {
      shared = driver.freshnessByTags ? driver : null
    },
    /** Where invalidations stand now. */
    mark: (): string => `${process} ${memory.position()} ${shared?.position() ?? 0}`,
    isChanged(tags: readonly string[], mark: string): boolean {
      const [by, here, anywhere] = mark.split(' ')
      if (by === process) return isChangedHere(tags, Number(here))
      // A build has no driver: its mark is older than all that this one knows.
      return isChangedAnywhere(tags, Number(anywhere))
    },
  }
}

export type Clock = ReturnType<typeof createClock>
