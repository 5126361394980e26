import type { CacheDriver, CacheEntry, InvalidationMode } from './cacheDriver.ts'
import type { MemoryDriver } from './memoryCacheDriver.ts'

export type SharedStore = ReturnType<typeof createSharedStore>

export function createSharedStore(memory: MemoryDriver) {
  const lookUps = new Map<string, Promise<void>>()
  const invalidating = new Set<Promise<void>>()
  let driver: CacheDriver | null = null
  let stopListening = () => {}

  async function load(name: string, from: CacheDriver): Promise<void> {
    // Until the driver knows all invalidations, it may return invalidated entries.
    if (invalidating.size > 0) await Promise.all(invalidating)
    // Read the position first, so that invalidations during the read apply to the entry.
    const position = memory.position()
    const entry = await from.get(name)
    if (!entry) return
    const cached = memory.get(name)
    // The driver may have failed to store the newer entry, which is then only in memory.
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
    async lookUp(name: string): Promise<void> {
      if (!driver) return
      const loading = lookUps.get(name) ?? load(name, driver).finally(() => lookUps.delete(name))
      lookUps.set(name, loading)
      return loading
    },
    position: () => driver?.position() ?? 0,
    isBehind: () => driver?.isBehind?.() ?? false,
    catchUp: async () => driver?.catchUp?.(),
    /**
     * Stores an entry. @param driverPosition the driver's `position()` when the computation started
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

/**
 * True if the entry is older than an invalidation of one of these tags, even if the entry doesn't
 * have the tag itself.
 */
export function isEndedBy(
  tags: readonly string[],
  { position, driverPosition }: CacheEntry,
  { memory, driver }: { readonly memory: MemoryDriver; readonly driver: CacheDriver | null },
): boolean {
  if (tags.length === 0) return false
  if (memory.freshnessByTags({ tags, position }) === 'expired') return true
  if (driverPosition === undefined) return false
  // The entry came from the driver after the tags were marked in memory, so ask the driver.
  const driverFreshness = driver?.freshnessByTags?.({ tags, position: driverPosition })
  return (driverFreshness ?? memory.freshnessByTags({ tags, position: 0 })) === 'expired'
}
