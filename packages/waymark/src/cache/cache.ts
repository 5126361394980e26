import type { CacheDriver, CacheEntry, InvalidationMode } from './cacheDriver.ts'
import {
  type CacheRead,
  type Compute,
  type Computed,
  freshness,
  normalizeKey,
  toEntry,
  toRead,
} from './cacheEntry.ts'
import type { MemoryDriver } from './memoryCacheDriver.ts'
import { createSharedStore, isEndedBy, type SharedStore } from './sharedStore.ts'
import { createComputeBackoff, createSingleFlight } from './singleFlight.ts'

/** A read-through cache in memory, optionally on top of a driver that several processes share. */
export type Cache = {
  /**
   * Returns an entry. A fresh or stale one in memory is returned synchronously, and a stale one is
   * refreshed in the background. A missing one is computed. Only one computation per key runs at a
   * time, even with several processes. If a refresh fails, the old value stays, and the refresh is
   * tried again after a pause.
   * @param options With `acceptsStale: false`, waits for the refresh; a reader that is cached
   * itself needs this. If the refresh fails, the stale value is returned anyway. If one of
   * `readerTags` was invalidated after the entry was computed, the entry is computed again.
   */
  read(
    key: string,
    compute: Compute,
    options?: { readonly acceptsStale?: boolean; readonly readerTags?: readonly string[] },
  ): CacheRead | Promise<CacheRead>
  peek(key: string): CacheRead | null
  /**
   * Adds a value that was computed before this process started, for example by a build, unless the
   * cache has an entry for the key. Invalidations since the computation apply if the driver knows
   * them.
   */
  seed(key: string, computed: Computed, computedAtMs: number): Promise<void>
  /** Stores a value. Resolves once other processes see it. */
  store(key: string, computed: Computed): Promise<void>
  delete(key: string): Promise<void>
  /**
   * Invalidates entries by tags. `stale` entries are still returned while they are refreshed;
   * `expired` entries aren't. An invalidation takes effect in this process at once. Resolves once
   * the driver has notified other processes or has failed to do so.
   */
  invalidate(tags: readonly string[], mode: InvalidationMode): Promise<void>
  /**
   * Returns true if this process was frozen, and doesn't know yet which entries other processes
   * have invalidated in the meantime.
   */
  isBehind(): boolean
  /**
   * Resolves once this process has dropped all entries that other processes invalidated before the call. Never rejects.
   */
  catchUp(): Promise<void>
  attach(driver: CacheDriver): void
  /** Returns the driver that all processes of the app share; `null` before it is attached. */
  driver(): CacheDriver | null
  close(): Promise<void>
}

export type CacheOptions = {
  readonly memory: MemoryDriver
  readonly report: (thrown: unknown, key: string) => void
  readonly now?: () => number
  /**
   * Called when a computation starts, with a promise that resolves when it has ended and its result is
   * stored. The promise never rejects.
   */
  readonly onStart?: (work: Promise<unknown>) => void
}

export function createCache({ memory, report, onStart, now = Date.now }: CacheOptions): Cache {
  const shared = createSharedStore(memory)
  const failures = createComputeBackoff(now)
  const computations = createSingleFlight({ memory, shared, failures, now, onStart })

  function readMemory({ name, compute, acceptsStale, isEnded }: NamedRead): CacheRead | null {
    const entry = memory.get(name)
    if (!entry || isEnded(entry)) return null
    if (freshness(entry, now()) === 'fresh') return toRead(entry, 'fresh')
    if (failures.mustWait(name)) return toRead(entry, 'stale')
    if (!acceptsStale) return null
    computations.startRefresh(name, compute, (thrown) => report(thrown, name))
    return toRead(entry, 'stale')
  }

  async function readSlowly(named: NamedRead): Promise<CacheRead> {
    const { name, compute, isEnded } = named
    if (shared.driver() && !computations.isRunning(name)) {
      await shared.lookUp(name)
      const cached = readMemory(named)
      if (cached) return cached
    }
    const ended = memory.get(name)
    if (ended && isEnded(ended)) await shared.delete(name)
    try {
      return await computations.read(name, compute, isEnded)
    } catch (thrown) {
      const old = memory.get(name)
      if (!old) throw thrown
      report(thrown, name)
      return toRead(old, 'stale')
    }
  }

  return {
    read(key, compute, { acceptsStale = true, readerTags = [] } = {}) {
      const tags = readerTags.map(normalizeKey)
      const isEnded = (entry: CacheEntry) =>
        isEndedBy(tags, entry, { memory, driver: shared.driver() })
      const named = { name: normalizeKey(key), compute, acceptsStale, isEnded }
      return readMemory(named) ?? readSlowly(named)
    },
    peek(key) {
      // Most keys need no normalization, so look up the key unchanged first.
      const entry = memory.get(key) ?? memory.get(normalizeKey(key))
      return entry && toRead(entry, freshness(entry, now()) === 'fresh' ? 'fresh' : 'stale')
    },
    seed: (key, computed, atMs) =>
      seed(normalizeKey(key), toEntry(computed, atMs, 0), { memory, shared }),
    store(key, computed) {
      const entry = toEntry(computed, now(), memory.position())
      return shared.set(normalizeKey(key), entry, shared.position())
    },
    delete: (key) => shared.delete(normalizeKey(key)),
    invalidate: (tags, mode) => shared.invalidate(tags.map(normalizeKey), mode),
    isBehind: shared.isBehind,
    catchUp: shared.catchUp,
    attach: shared.attach,
    driver: shared.driver,
    close: shared.close,
  }
}

async function seed(name: string, entry: CacheEntry, { memory, shared }: Stores): Promise<void> {
  await shared.lookUp(name)
  if (memory.get(name)) return
  const driver = shared.driver()
  if (!driver) return memory.set(name, entry)
  // Read the entry back from the driver, which may know invalidations from before this process
  // started.
  await driver.set(name, entry)
  await shared.lookUp(name)
}

type NamedRead = {
  readonly name: string
  readonly compute: Compute
  readonly acceptsStale: boolean
  /** Returns true if one of the reader's tags has invalidated the entry. */
  readonly isEnded: (entry: CacheEntry) => boolean
}

type Stores = { readonly memory: MemoryDriver; readonly shared: SharedStore }
