import { randomUUID } from 'node:crypto'
import type { CacheDriver, MemoryDriver } from 'waymark/internal/server'

/** Tells whether tags were invalidated since a page was rendered. */
export function createClock(memory: MemoryDriver) {
  // Positions in memory count in this process only. Not before: outside of a request, workerd has no
  // random values.
  let id = ''
  const self = () => (id ||= randomUUID())
  /** Knows what was invalidated before this process, and by others. */
  let shared: CacheDriver | null = null
  return {
    attach(driver: CacheDriver): void {
      shared = driver.freshnessByTags ? driver : null
    },
    /** Where invalidations stand now. */
    mark: (): string => (shared ? `${shared.position()}` : `${self()} ${memory.position()}`),
    isChanged(tags: readonly string[], mark: string): boolean {
      const [process, position = process] = mark.split(' ')
      if (!shared && process !== self()) return true
      // The mark of a build is older than all that the driver knows.
      const since = shared && position !== process ? 0 : Number(position)
      return (shared ?? memory).freshnessByTags?.({ tags, position: since }) !== 'fresh'
    },
  }
}

export type Clock = ReturnType<typeof createClock>
