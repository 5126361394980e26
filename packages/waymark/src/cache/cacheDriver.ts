/** A stored value with its cache times. */
export type CacheEntry = {
  readonly value: Uint8Array
  readonly tags: readonly string[]
  /** Time at which the computation started, in milliseconds since the epoch. */
  readonly storedAtMs: number
  /** Time after which the entry is stale, and served while it is refreshed. `null` if only a tag makes it stale. */
  readonly revalidateAtMs: number | null
  /** Time after which the entry isn't served any more. `null` if only a tag or a lack of space removes it. */
  readonly expireAtMs: number | null
  /** The driver's `position()` when the computation started. Later invalidations apply to the entry. */
  readonly position: number
  /** Position of the entry in the shared driver. Only set in memory, for an entry that comes from a shared driver. */
  readonly driverPosition?: number
}

/** `stale` entries are served while they are refreshed. `expired` entries are never served again. */
export type InvalidationMode = 'stale' | 'expired'

/** Invalidated tags, or `all` if the tags are no longer known. */
export type Invalidation = {
  readonly tags: readonly string[] | 'all'
  readonly mode: InvalidationMode
}

/** State of work that runs once across all processes. */
export type Lease =
  /** The caller has the lease and must call one of these methods. */
  | {
      readonly kind: 'ours'
      /**
       * Stores the result for other callers. Resolves once other processes see the result. A second call may replace
       * the result for its remaining lifetime.
       */
      complete(result: Uint8Array): Promise<void>
      /**
       * Removes the result before the end of its lifetime, to make space. Drivers that limit these
       * results themselves don't have this method.
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
 * driver whose store is unavailable behaves like an empty one, and logs this once. Keys and tags have
 * at most 200 characters.
 */
export type CacheDriver = {
  /**
   * Returns an entry that may be served. If one of its tags was invalidated after its `position`, the
   * entry is returned as stale (with a `revalidateAtMs` of 0) or not at all.
   */
  get(key: string): CacheEntry | null | Promise<CacheEntry | null>
  /** Resolves once other processes see the entry. */
  set(key: string, entry: CacheEntry): void | Promise<void>
  delete(key: string): void | Promise<void>
  /**
   * Invalidates entries. Resolves once entries whose computation starts after that count as newer than the
   * invalidation.
   */
  invalidate(tags: readonly string[], mode: InvalidationMode): void | Promise<void>
  /**
   * Returns a growing number, in the driver's own unit, that shows which invalidations this process
   * knows.
   */
  position(): number
  /**
   * Returns the freshness of an entry as if it had these tags. Without this method, invalidations from
   * before this process are unknown.
   */
  freshnessByTags?(entry: Pick<CacheEntry, 'tags' | 'position'>): 'fresh' | 'stale' | 'expired'
  /** Listens for invalidations by other processes. @returns a function that removes the listener */
  onInvalidated(listener: (invalidation: Invalidation) => void): () => void
  /**
   * Returns true if the process may have missed invalidations because it was frozen for a while. This method is called
   * for each request, so it must return at once. If the result is true, the request waits for `catchUp()`.
   */
  isBehind?(): boolean
  /**
   * Resolves once the listeners have been notified of everything that other processes invalidated before the call, or
   * once it is clear that the store doesn't respond.
   */
  catchUp?(): Promise<void>
  /**
   * Acquires a lease for work that should run in only one process at a time, or only once across all processes. Another
   * caller gets the lease after `ttlMs`. If the owner's process dies, another caller gets the lease within `leaseMs`.
   * @param ttlMs lifetime of the lease and of its result, in milliseconds
   * @param leaseMs milliseconds after which the lease of a dead process is free; default 30 s
   */
  lease(key: string, ttlMs: number, leaseMs?: number): Promise<Lease>
  close(): Promise<void>
}

type LeaseWait = {
  readonly ttlMs: number
  readonly waitMs: number
  /** Returns a signal that ends the wait. This is a function because creating a signal is slow. */
  readonly signal?: () => AbortSignal
}

const firstPauseMs = 10
const longestPauseMs = 100

/** Waits for a lease. @returns `running` if its owner didn't finish in time or the client has left */
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
