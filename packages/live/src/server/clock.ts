import { randomUUID } from 'node:crypto'
import type { CacheDriver, MemoryDriver } from 'waymark/plugin'
import { everything } from './liveTags.ts'

const most = 1_000

/** Tells if tags were invalidated after a page was rendered. */
export function createClock(memory: MemoryDriver) {
  let id = ''
  /**
   * Id of this process. Created on first use, because workerd has no random values outside of
   * requests.
   */
  const process = () => {
    id ||= randomUUID().slice(0, 8)
    return id
  }
  /**
   * Cache driver. It also knows invalidations by other processes, and from before this process
   * started.
   */
  let shared: CacheDriver | null = null
  /**
   * Tags that this process has invalidated but its driver may not know about yet, with the driver's
   * position at that time.
   */
  const underWay = new Map<string, number>()

  const isInvalidatedInDriver = (tag: string, position: number) =>
    shared?.freshnessByTags?.({ tags: [tag], position }) !== 'fresh'

  memory.onAnyInvalidated((tags) => {
    if (tags === 'all' || !shared) return
    const position = shared.position()
    // The driver already knows other processes' invalidations, so only add this process's own.
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

  /** Checks this process's own memory. The driver learns about its changes a little later. */
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
    /** Returns the current positions of the invalidations. */
    mark: (): string => `${process()} ${memory.position()} ${shared?.position() ?? 0}`,
    isChanged(tags: readonly string[], mark: string): boolean {
      const [by, here, anywhere] = mark.split(' ')
      if (by === process()) return isChangedHere(tags, Number(here))
      // A build has no driver, so its marks are older than all of the driver's invalidations.
      return isChangedAnywhere(tags, Number(anywhere))
    },
  }
}

export type Clock = ReturnType<typeof createClock>
