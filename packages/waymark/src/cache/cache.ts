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

/** A read-through cache: memory, and below it a driver that other processes may share. */
export type Cache = {
  /**
   * Gives what is fresh in memory at once, without a promise; what is stale at once, too, and
   * refreshes it behind; what is missing once it is computed. One computation per key runs at a
   * time, over all processes that share the driver. A failed refresh keeps the old value, and is
   * not tried again for a while.
   * @param options `acceptsStale: false` waits for a refresh instead of what is stale: for what is
   *   itself cached, or it would be stale as long as it lives. When the refresh fails, the reader
   *   gets what is stale after all. `readerTags`: tags of the reader; what is older than their end
   *   is computed again, for everybody.
   */
  read(
    key: string,
    compute: Compute,
    options?: { readonly acceptsStale?: boolean; readonly readerTags?: readonly string[] },
  ): CacheRead | Promise<CacheRead>
  /** What memory holds, fresh or stale. Nothing is computed, or looked for elsewhere. */
  peek(key: string): CacheRead | null
  /**
   * Seeds a value that was computed before this process began, as by a build, unless there is an
   * entry already. What was invalidated since, as far as the driver knows, counts.
   */
  seed(key: string, computed: Computed, computedAtMs: number): Promise<void>
  /** Stores a value that was not read through the cache. Resolves once other processes see it. */
  store(key: string, computed: Computed): Promise<void>
  delete(key: string): Promise<void>
  /**
   * Invalidates all entries with one of some tags: `stale` ones are refreshed while they are
   * served, `expired` ones are never served again. At once here; resolves once the driver has
   * notified the others, or can't.
   */
  invalidate(tags: readonly string[], mode: InvalidationMode): Promise<void>
  /** Adds the driver below memory. */
  attach(driver: CacheDriver): void
  close(): Promise<void>
}

export type CacheOptions = {
  readonly memory: MemoryDriver
  /** Called when a refresh in the background failed. */
  readonly report: (thrown: unknown, key: string) => void
  readonly now?: () => number
  /** Called with each computation as it starts; the promise never rejects. */
  readonly onStart?: (work: Promise<unknown>) => void
}

/** Creates a cache. */
export function createCache({ memory, report, onStart, now = Date.now }: CacheOptions): Cache {
  const shared = createSharedStore(memory)
  const failures = createComputeBackoff(now)
  const computations = createSingleFlight({ memory, shared, failures, now, onStart })

  /** What memory holds, if it may be served. */
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
      const found = readMemory(named)
      if (found) return found
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
      // What is found under a key is found under its name: a name that is bounded stays as it is.
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
    attach: shared.attach,
    close: shared.close,
  }
}

/** Stores an entry of before this process, unless there is one already. */
async function seed(name: string, entry: CacheEntry, { memory, shared }: Stores): Promise<void> {
  await shared.lookUp(name)
  if (memory.get(name)) return
  const driver = shared.driver()
  if (!driver) return memory.set(name, entry)
  // The driver knows what was invalidated before this process began: what is left counts.
  await driver.set(name, entry)
  await shared.lookUp(name)
}

type NamedRead = {
  readonly name: string
  readonly compute: Compute
  readonly acceptsStale: boolean
  /** By the tags of its reader. */
  readonly isEnded: (entry: CacheEntry) => boolean
}

type Stores = { readonly memory: MemoryDriver; readonly shared: SharedStore }
