/** A stored value with its cache times. */
export type CacheEntry = {
  readonly value: Uint8Array
  readonly tags: readonly string[]
  /** Time at which the computation started, in milliseconds since the epoch. */
  readonly storedAtMs: number
  /**
   * Time after which the entry is stale: it is refreshed while it is still returned. `null` if only
   * a tag makes it stale.
   */
  readonly revalidateAtMs: number | null
  /**
   * Time after which the entry isn't returned any more. `null` if only a tag or a lack of space
   * removes it.
   */
  readonly expireAtMs: number | null
  /**
   * The driver's `position()` when the computation started. Only later invalidations apply to the
   * entry.
   */
  readonly position: number
  /**
   * The entry's position in the shared driver. Only set in memory, for an entry that comes from a
   * shared driver.
   */
  readonly driverPosition?: number
}

/**
 * `stale` entries are still returned while they are refreshed. `expired` entries are never returned
 * again.
 */
export type InvalidationMode = 'stale' | 'expired'

/** Invalidated tags. `all` if they are no longer known. */
export type Invalidation = {
  readonly tags: readonly string[] | 'all'
  readonly mode: InvalidationMode
}

/** State of work that should run only once across all processes. */
export type Lease =
  /** The caller has the lease, and must call one of these methods. */
  | {
      readonly kind: 'ours'
      /**
       * Stores the result for other callers. Resolves once other processes see it. A second call
       * replaces the result, but doesn't extend its lifetime.
       */
      complete(result: Uint8Array): Promise<void>
      /**
       * Removes the result early, to make space. Drivers that limit these results themselves don't
       * have this method.
       */
      withdraw?(): Promise<void>
      /** Gives the lease to the next caller. */
      release(): Promise<void>
    }
  /** The work is done. `result` is `null` if it can't be read any more. */
  | { readonly kind: 'done'; readonly result: Uint8Array | null }
  | { readonly kind: 'running' }

/**
 * Stores cache entries. `cacheDriverSuite` specifies the behaviour. No method throws or rejects: a
 * driver whose store is unavailable behaves like an empty one, and logs this once. Keys and tags
 * have at most 200 characters.
 */
export type CacheDriver = {
  /**
   * Returns an entry that is still usable. If one of its tags was invalidated after its `position`,
   * the entry is returned as stale (with a `revalidateAtMs` of 0) or not at all.
   */
  get(key: string): CacheEntry | null | Promise<CacheEntry | null>
  /** Resolves once other processes see the entry. */
  set(key: string, entry: CacheEntry): void | Promise<void>
  delete(key: string): void | Promise<void>
  /**
   * Invalidates entries. Resolves once every entry whose computation starts afterwards counts as
   * newer than the invalidation.
   */
  invalidate(tags: readonly string[], mode: InvalidationMode): void | Promise<void>
  /**
   * Returns a growing number, in the driver's own unit, that tells which invalidations this process
   * knows.
   */
  position(): number
  /**
   * Returns an entry's freshness as if it had these tags. Without this method, invalidations from
   * before this process started are unknown.
   */
  freshnessByTags?(entry: Pick<CacheEntry, 'tags' | 'position'>): 'fresh' | 'stale' | 'expired'
  /** Listens for invalidations by other processes. @returns a function that removes the listener */
  onInvalidated(listener: (invalidation: Invalidation) => void): () => void
  /**
   * Returns true if the process may have missed invalidations because it was frozen for a while.
   * The request then waits for `catchUp()`. Called for each request, so return at once.
   */
  isBehind?(): boolean
  /**
   * Resolves once the listeners know everything that other processes invalidated before the call,
   * or once it is clear that the store doesn't respond.
   */
  catchUp?(): Promise<void>
  /**
   * Acquires a lease, for work that should run in only one process at a time, or only once across
   * all processes. A different caller can get the lease after `ttlMs`, or within `leaseMs` if the
   * owner's process dies.
   * @param ttlMs lifetime of the lease and of its result, in milliseconds
   * @param leaseMs milliseconds after which a dead process's lease is free; default 30 s
   */
  lease(key: string, ttlMs: number, leaseMs?: number): Promise<Lease>
  close(): Promise<void>
}

/** How long `waitForLease()` waits. */
export type LeaseWait = {
  /** Lifetime of the lease and of its result, in milliseconds. */
  readonly ttlMs: number
  /** Maximum milliseconds to wait. */
  readonly waitMs: number
  /**
   * Returns a signal that ends the wait. Creating a signal is slow, so this is only called when
   * needed.
   */
  readonly signal?: () => AbortSignal
}

const firstPauseMs = 10
const longestPauseMs = 100

/**
 * Waits until a lease is free or its work is done. @returns `running` if its owner doesn't finish in time or the client
 * leaves
 */
export async function waitForLease(
  driver: Pick<CacheDriver, 'lease'>,
  key: string,
  { ttlMs, waitMs, signal }: LeaseWait,
): Promise<Lease> {
  const endMs = Date.now() + waitMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const lease = await driver.lease(key, ttlMs)
    if (lease.kind !== 'running' || Date.now() >= endMs || signal?.().aborted) return lease
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
