/** A stored value with its cache times. */
export type CacheEntry = {
  readonly value: Uint8Array
  readonly tags: readonly string[]
  /** Start of the computation, milliseconds since the epoch. */
  readonly storedAtMs: number
  /** Then served while it is refreshed. `null`: only by a tag. */
  readonly revalidateAtMs: number | null
  /** Then never served again. `null`: only by a tag, or for lack of room. */
  readonly expireAtMs: number | null
  /** `position()` of its driver when the computation started: later invalidations count. */
  readonly position: number
  /** In memory, for an entry of another driver: its position there. */
  readonly driverPosition?: number
}

/** `stale` entries are served while they are refreshed, `expired` ones never again. */
export type InvalidationMode = 'stale' | 'expired'

/** Invalidated tags; `all` when the tags are no longer known. */
export type Invalidation = {
  readonly tags: readonly string[] | 'all'
  readonly mode: InvalidationMode
}

/** State of work that runs once over all processes. */
export type Lease =
  /** The caller has the lease, and must call one of these methods. */
  | {
      readonly kind: 'ours'
      /**
       * Stores the result for other callers. Resolves once other processes see it. A second call may replace
       * the result for the rest of its time.
       */
      complete(result: Uint8Array): Promise<void>
      /**
       * Removes the result before its time, to make room. A driver that bounds such results itself leaves the
       * method out.
       */
      withdraw?(): Promise<void>
      /** Gives the lease to the next caller. */
      release(): Promise<void>
    }
  /** `null` when the result can't be read any more. */
  | { readonly kind: 'done'; readonly result: Uint8Array | null }
  | { readonly kind: 'running' }

/**
 * Stores cache entries; `cacheDriverSuite` specifies the behaviour. No method throws or rejects: a
 * driver without its store acts as an empty one, and logs that once. Keys and tags have at most 200
 * characters.
 */
export type CacheDriver = {
  /**
   * Returns an entry that may be served. An entry with a tag invalidated after its `position` comes
   * back stale (`revalidateAtMs` of 0), or not at all.
   */
  get(key: string): CacheEntry | null | Promise<CacheEntry | null>
  /** Resolves once other processes see the entry. */
  set(key: string, entry: CacheEntry): void | Promise<void>
  delete(key: string): void | Promise<void>
  /** Resolves once entries computed from now on count as newer than the invalidation. */
  invalidate(tags: readonly string[], mode: InvalidationMode): void | Promise<void>
  /** A growing number: how many invalidations this process knows, in the driver's own unit. */
  position(): number
  /**
   * Applies tags to an entry, whether or not the entry has them. Without this method, invalidations
   * from before this process are unknown.
   */
  freshnessByTags?(entry: Pick<CacheEntry, 'tags' | 'position'>): 'fresh' | 'stale' | 'expired'
  /** Listens to the invalidations of other processes. @returns a function that stops */
  onInvalidated(listener: (invalidation: Invalidation) => void): () => void
  /**
   * Returns true if the process may have missed invalidations, because it was frozen for a while. It is
   * called for each request, so it must return at once. If it returns true, the request waits for `catchUp()`.
   */
  isBehind?(): boolean
  /**
   * Resolves once the listeners have been notified of everything that others invalidated before the call,
   * or once it is clear that the store does not respond.
   */
  catchUp?(): Promise<void>
  /**
   * Acquires a lease for work that one process at a time does, or that is done once over all
   * processes. Another caller gets the lease after `ttlMs`, or after the owner's death within
   * `leaseMs`.
   * @param ttlMs also the lifetime of the result
   * @param leaseMs default 30 s
   */
  lease(key: string, ttlMs: number, leaseMs?: number): Promise<Lease>
  close(): Promise<void>
}

type LeaseWait = {
  readonly ttlMs: number
  readonly waitMs: number
  /** Ends the wait. A function, because creating a signal is slow. */
  readonly signal?: () => AbortSignal
}

const firstPauseMs = 10
const longestPauseMs = 100

/** @returns `running` when the holder did not finish in time, or the client left */
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
