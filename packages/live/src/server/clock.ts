import { randomUUID } from 'node:crypto'
import type { CacheDriver, MemoryDriver } from 'waymark/plugin'
import { everything } from './liveTags.ts'

const most = 1_000

/** Tells whether tags were invalidated since a page was rendered. */
export function createClock(memory: MemoryDriver) {
  let id = ''
  /** Positions in memory count in this process only. Drawn late: workerd has random values in requests. */
  const process = () => {
    id ||= randomUUID().slice(0, 8)
    return id
  }
  /** Knows what was invalidated before this process, and by others. */
  let shared: CacheDriver | null = null
  /** Tags that this process has ended, and where its driver stood then: it may not know of it yet. */
  const underWay = new Map<string, number>()

  const isInvalidatedInDriver = (tag: string, position: number) =>
    shared?.freshnessByTags?.({ tags: [tag], position }) !== 'fresh'

  memory.onAnyInvalidated((tags) => {
    if (tags === 'all' || !shared) return
    const position = shared.position()
    // What came from others, the driver knows already.
    for (const tag of tags) if (!isInvalidatedInDriver(tag, position)) underWay.set(tag, position)
    for (const oldest of underWay.keys()) if (underWay.size > most) underWay.delete(oldest)
  })

  function isUnderWay(tag: string): boolean {
    const position = underWay.get(tag)
    if (position === undefined) return false
    const isStill = !isInvalidatedInDriver(tag, position)
    if (!isStill) underWay.delete(tag)
    return isStill
  }

  /** What this process has changed, its driver may know a little later: memory knows it at once. */
  function isChangedHere(tags: readonly string[], position: number): boolean {
    if (tags.includes(everything)) return memory.position() !== position
    return memory.freshnessByTags({ tags, position }) !== 'fresh'
  }

  function isChangedAnywhere(tags: readonly string[], position: number): boolean {
    if (!shared) return true
    if (tags.includes(everything)) return shared.position() !== position
    if (shared.freshnessByTags?.({ tags, position }) !== 'fresh') return true
    return underWay.size > 0 && tags.some(isUnderWay)
  }

  return {
    process,
    attach(driver: CacheDriver): void {
      shared = driver.freshnessByTags ? driver : null
    },
    /** Where invalidations stand now. */
    mark: (): string => `${process()} ${memory.position()} ${shared?.position() ?? 0}`,
    isChanged(tags: readonly string[], mark: string): boolean {
      const [by, here, anywhere] = mark.split(' ')
      if (by === process()) return isChangedHere(tags, Number(here))
      // A build has no driver: its mark is older than all that this one knows.
      return isChangedAnywhere(tags, Number(anywhere))
    },
  }
}

export type Clock = ReturnType<typeof createClock>
