import type { CacheDriver, CacheEntry, InvalidationMode, Release } from './cacheDriver.ts'
import type { MemoryDriver } from './memoryCacheDriver.ts'

/** What is kept below memory, if anything is. What is read of it goes to memory, too. */
export type SharedStore = {
  readonly isAttached: boolean
  attach(driver: CacheDriver): void
  /** Resolves once memory holds what the driver has for a key. */
  lookUp(name: string): Promise<void>
  lock(name: string, ttlMs: number): Promise<Release | null>
  position(): number
  set(name: string, entry: CacheEntry): Promise<void>
  delete(name: string): Promise<void>
  invalidate(names: readonly string[], mode: InvalidationMode): Promise<void>
  close(): Promise<void>
}

/** Makes the store below a memory; without a driver it holds nothing. */
export function createSharedStore(memory: MemoryDriver): SharedStore {
  const lookUps = new Map<string, Promise<void>>()
  let driver: CacheDriver | null = null
  let stopListening = () => {}
  // Until the driver knows, it would give out what this process has just invalidated.
  const telling = createInFlight()

  async function load(name: string, from: CacheDriver): Promise<void> {
    await telling.settled()
    // What is invalidated from here on may not be in the answer yet.
    const position = memory.position()
    const entry = await from.get(name)
    if (!entry) return
    const kept = memory.get(name)
    // What the driver could not be told stands here only.
    const isKeptNewer = kept !== null && kept.storedAtMs > entry.storedAtMs
    if (!isKeptNewer) memory.set(name, { ...entry, position })
  }

  function lookUp(name: string): Promise<void> {
    let looking = lookUps.get(name)
    if (!looking && driver) {
      looking = load(name, driver).finally(() => lookUps.delete(name))
      lookUps.set(name, looking)
    }
    return looking ?? Promise.resolve()
  }

  return {
    get isAttached() {
      return driver !== null
    },
    attach(attached) {
      stopListening()
      driver = attached
      stopListening = attached.onInvalidated(({ tags, mode }) => {
        if (tags === 'all') memory.invalidateAll(mode)
        else memory.invalidate(tags, mode)
      })
    },
    lookUp,
    lock: async (name, ttlMs) => (driver ? driver.lock(name, ttlMs) : async () => {}),
    position: () => driver?.position() ?? 0,
    set: async (name, entry) => driver?.set(name, entry),
    delete: async (name) => driver?.delete(name),
    async invalidate(names, mode) {
      if (driver) await telling.add(Promise.resolve(driver.invalidate(names, mode)))
    },
    async close() {
      stopListening()
      await driver?.close()
      driver = null
    },
  }
}

/** Promises that have not settled yet. */
export type InFlight = {
  /** Gives the promise back. */
  add<T>(promise: Promise<T>): Promise<T>
  /** Resolves once those of now have settled, well or not; `null` if there are none. */
  settled(): Promise<unknown> | null
}

/** Makes it, empty. */
export function createInFlight(): InFlight {
  const pending = new Set<Promise<unknown>>()
  return {
    add(promise) {
      pending.add(promise)
      const remove = () => pending.delete(promise)
      promise.then(remove, remove)
      return promise
    },
    settled: () => (pending.size > 0 ? Promise.allSettled(pending) : null),
  }
}
