import type { CacheDriver, CacheEntry, InvalidationMode } from './cacheDriver.ts'
import type { MemoryDriver } from './memoryCacheDriver.ts'

/** Memory, and below it a driver that other processes may share. */
export type SharedStore = ReturnType<typeof createSharedStore>

/** Creates the store; until a driver is attached, it is memory only. */
export function createSharedStore(memory: MemoryDriver) {
  const lookUps = new Map<string, Promise<void>>()
  const invalidating = new Set<Promise<void>>()
  let driver: CacheDriver | null = null
  let stopListening = () => {}

  async function load(name: string, from: CacheDriver): Promise<void> {
    // Until the driver knows, it would give out what this process has just invalidated.
    if (invalidating.size > 0) await Promise.all(invalidating)
    // What is invalidated from here on may not be in the entry yet.
    const position = memory.position()
    const entry = await from.get(name)
    if (!entry) return
    const cached = memory.get(name)
    // What the driver could not store is in memory only.
    const isCachedNewer = cached !== null && cached.storedAtMs > entry.storedAtMs
    if (!isCachedNewer) memory.set(name, { ...entry, position, driverPosition: entry.position })
  }

  return {
    driver: () => driver,
    attach(attached: CacheDriver): void {
      stopListening()
      driver = attached
      stopListening = attached.onInvalidated(({ tags, mode }) => memory.invalidate(tags, mode))
    },
    /** Resolves once memory holds what the driver has for a key. */
    async lookUp(name: string): Promise<void> {
      if (!driver) return
      const loading = lookUps.get(name) ?? load(name, driver).finally(() => lookUps.delete(name))
      lookUps.set(name, loading)
      return loading
    },
    position: () => driver?.position() ?? 0,
    /**
     * Stores an entry in memory at once. Resolves once other processes see it.
     * @param driverPosition the `position()` of here when its computation began
     */
    async set(name: string, entry: CacheEntry, driverPosition: number): Promise<void> {
      memory.set(name, entry)
      await driver?.set(name, { ...entry, position: driverPosition })
    },
    async delete(name: string): Promise<void> {
      memory.delete(name)
      await driver?.delete(name)
    },
    async invalidate(names: readonly string[], mode: InvalidationMode): Promise<void> {
      memory.invalidate(names, mode)
      if (!driver) return
      const running = Promise.resolve(driver.invalidate(names, mode))
      invalidating.add(running)
      await running.finally(() => invalidating.delete(running))
    },
    async close(): Promise<void> {
      stopListening()
      await driver?.close()
      driver = null
    },
  }
}

/** Whether one of some tags, which an entry of memory may not have itself, ends it. */
export function isEndedBy(
  tags: readonly string[],
  { position, driverPosition }: CacheEntry,
  { memory, driver }: { readonly memory: MemoryDriver; readonly driver: CacheDriver | null },
): boolean {
  if (tags.length === 0) return false
  if (memory.freshnessByTags({ tags, position }) === 'expired') return true
  if (driverPosition === undefined) return false
  // It was loaded after what was known until then.
  const known = driver?.freshnessByTags?.({ tags, position: driverPosition })
  return (known ?? memory.freshnessByTags({ tags, position: 0 })) === 'expired'
}
