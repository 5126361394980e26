import type { CacheDriver, InvalidationMode } from './cacheDriver.ts'
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
import { createSharedStore, type SharedStore } from './sharedStore.ts'
import { createComputeBackoff, createSingleFlight } from './singleFlight.ts'

/** How a value is read. */
export type ReadOptions = {
  /**
   * False waits for a refresh instead of taking what is stale: for what is itself kept, or it
   * would be stale as long as it lives. When the refresh fails, what is stale is taken after all.
   */
  readonly acceptsStale?: boolean
}

/** A read-through cache: memory, and below it a driver that other processes may share. */
export type Cache = {
  /**
   * Gives what is fresh in memory at once, without a promise; what is stale at once, too, and
   * refreshes it behind; what is missing once it is computed. One computation per key runs at a
   * time, over all processes that share the driver. A failed refresh keeps the old value, and is
   * not tried again for a while.
   */
  read(key: string, compute: Compute, options?: ReadOptions): CacheRead | Promise<CacheRead>
  /** What memory holds, fresh or stale. Nothing is computed, or looked for elsewhere. */
  peek(key: string): CacheRead | null
  /**
   * Takes in a value that was made before this process began, as by a build, unless there is an
   * entry already. What was invalidated since, as far as the driver knows, counts.
   */
  offer(key: string, made: Computed, madeAtMs: number): Promise<void>
  /** Keeps a value that was not read through the cache. Resolves once other processes see it. */
  store(key: string, computed: Computed): Promise<void>
  delete(key: string): Promise<void>
  /**
   * Invalidates all entries with one of some tags: `stale` ones are refreshed while they are
   * served, `expired` ones are never served again. At once here; resolves once the driver has
   * told the others, or can't.
   */
  invalidate(tags: readonly string[], mode: InvalidationMode): Promise<void>
  /** Says where entries are kept besides memory; until then, nowhere. */
  attach(driver: CacheDriver): void
  close(): Promise<void>
}

/** What a cache is made of. */
export type CacheOptions = {
  readonly memory: MemoryDriver
  /** Hears of a refresh behind that failed. */
  readonly report: (thrown: unknown, key: string) => void
  readonly now?: () => number
  /** Hears of each computation as it starts; the promise never rejects. */
  readonly onStart?: (work: Promise<unknown>) => void
}

/** Makes a cache. */
export function createCache({ memory, report, onStart, now = Date.now }: CacheOptions): Cache {
  const shared = createSharedStore(memory)
  const failures = createComputeBackoff(now)
  const computations = createSingleFlight({ memory, shared, failures, now, onStart })

  /** What memory holds, if it may be served. */
  function readKept({ name, compute, acceptsStale }: NamedRead): CacheRead | null {
    const entry = memory.get(name)
    if (!entry) return null
    if (freshness(entry, now()) === 'fresh') return toRead(entry, 'fresh')
    if (failures.mustWait(name)) return toRead(entry, 'stale')
    if (!acceptsStale) return null
    computations.startRefresh(name, compute, report)
    return toRead(entry, 'stale')
  }

  async function readSlowly(named: NamedRead): Promise<CacheRead> {
    const { name, compute } = named
    if (shared.isAttached && !computations.isRunning(name)) {
      await shared.lookUp(name)
      const kept = readKept(named)
      if (kept) return kept
    }
    try {
      return await computations.read(name, compute)
    } catch (thrown) {
      const old = memory.get(name)
      if (!old) throw thrown
      report(thrown, name)
      return toRead(old, 'stale')
    }
  }

  return {
    read(key, compute, { acceptsStale = true } = {}) {
      const named = { name: normalizeKey(key), compute, acceptsStale }
      return readKept(named) ?? readSlowly(named)
    },
    peek(key) {
      // What is found under a key is found under its name: a name that is bounded stays as it is.
      const entry = memory.get(key) ?? memory.get(normalizeKey(key))
      return entry && toRead(entry, freshness(entry, now()) === 'fresh' ? 'fresh' : 'stale')
    },
    offer: (key, computed, atMs) => seedEntry({ key, computed, atMs }, { memory, shared }),
    store: (key, computed) => storeComputed({ key, computed, atMs: now() }, { memory, shared }),
    async delete(key) {
      const name = normalizeKey(key)
      memory.delete(name)
      await shared.delete(name)
    },
    async invalidate(tags, mode) {
      const names = tags.map(normalizeKey)
      memory.invalidate(names, mode)
      await shared.invalidate(names, mode)
    },
    attach: shared.attach,
    close: shared.close,
  }
}

type NamedRead = {
  readonly name: string
  readonly compute: Compute
  readonly acceptsStale: boolean
}

/** A value that was made apart from the cache, and when. */
export type SeedEntry = { readonly key: string; readonly computed: Computed; readonly atMs: number }

/** Where it is kept. */
export type Stores = { readonly memory: MemoryDriver; readonly shared: SharedStore }

/** Takes in a value that was made before this process began, unless there is an entry already. */
export async function seedEntry(made: SeedEntry, { memory, shared }: Stores): Promise<void> {
  const name = normalizeKey(made.key)
  await shared.lookUp(name)
  if (memory.get(name)) return
  const entry = toEntry(made.computed, made.atMs, 0)
  if (!shared.isAttached) return memory.set(name, entry)
  // The driver knows what was invalidated before this process began: it is asked what is left.
  await shared.set(name, entry)
  await shared.lookUp(name)
}

/** Takes in a value that was computed just now. */
export async function storeComputed(made: SeedEntry, { memory, shared }: Stores): Promise<void> {
  const name = normalizeKey(made.key)
  const entry = toEntry(made.computed, made.atMs, memory.position())
  memory.set(name, entry)
  await shared.set(name, { ...entry, position: shared.position() })
}
