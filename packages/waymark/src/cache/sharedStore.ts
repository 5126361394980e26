import type { CacheDriver, CacheEntry, InvalidationMode } from './cacheDriver.ts'
import { normalizeKey } from './cacheEntry.ts'
import type { MemoryDriver } from './memoryCacheDriver.ts'

/** What is cached below memory. */
export type SharedStore = ReturnType<typeof createSharedStore>

// A process that is killed while it computes holds up the others no longer than this.
const lockLeaseMs = 5_000
// Past this, others no longer wait: the computation hangs.
const longestLockMs = 30_000

/** Creates the store below a memory; without a driver it is empty. */
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
    if (!isCachedNewer) memory.set(name, { ...entry, position })
  }

  return {
    get isAttached() {
      return driver !== null
    },
    attach(attached: CacheDriver) {
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
    /**
     * Locks a key over all processes, to compute it.
     * @returns releases it; `null` while another process has it
     */
    async lock(name: string): Promise<(() => Promise<void>) | null> {
      if (!driver) return async () => {}
      const lease = await driver.lease(normalizeKey(`lock:${name}`), longestLockMs, lockLeaseMs)
      return lease.kind === 'ours' ? lease.release : null
    },
    position: () => driver?.position() ?? 0,
    set: async (name: string, entry: CacheEntry) => driver?.set(name, entry),
    delete: async (name: string) => driver?.delete(name),
    async invalidate(names: readonly string[], mode: InvalidationMode): Promise<void> {
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
