/** A stored value, and how long it may be served. */
export type CacheEntry = {
  readonly value: Uint8Array
  readonly tags: readonly string[]
  /** When its computation began. */
  readonly storedAtMs: number
  /** From then on it is stale: served while it is refreshed. `null`: only a tag makes it stale. */
  readonly revalidateAtMs: number | null
  /** From then on it is never served. `null`: only a tag, or lack of room, ends it. */
  readonly expireAtMs: number | null
  /**
   * `position()` of its driver when its computation began: the entry may lack whatever was
   * invalidated since.
   */
  readonly position: number
  /** Of what memory has of another driver: its position there. */
  readonly driverPosition?: number
}

/** What an invalidation does to entries: they are refreshed while served, or never served again. */
export type InvalidationMode = 'stale' | 'expired'

/** Tags that were invalidated; `all` when it is not known any more which. */
export type Invalidation = {
  readonly tags: readonly string[] | 'all'
  readonly mode: InvalidationMode
}

/** The state of something that is to run once over all processes. */
export type Lease =
  /** The caller has the lease, and ends it by one of these. */
  | {
      readonly kind: 'ours'
      /** Stores the result for those who ask later. Resolves once other processes see it. */
      complete(result: Uint8Array): Promise<void>
      /** Leaves it undone: the next who asks gets the lease. */
      release(): Promise<void>
    }
  /** `null` where the result can't be read any more. */
  | { readonly kind: 'done'; readonly result: Uint8Array | null }
  | { readonly kind: 'running' }

/**
 * Where entries are stored. One suite, `cacheDriverSuite`, says what each driver does. None of its
 * functions throws or rejects: a driver that can't reach its store behaves as if it were empty,
 * and logs it once. Keys and tags have at most 200 characters.
 */
export type CacheDriver = {
  /**
   * An entry that may be served. One with a tag that was invalidated since its `position` is
   * returned as stale (`revalidateAtMs` of 0), or not at all.
   */
  get(key: string): CacheEntry | null | Promise<CacheEntry | null>
  /** Resolves once other processes see it. */
  set(key: string, entry: CacheEntry): void | Promise<void>
  delete(key: string): void | Promise<void>
  /** Resolves once entries computed from now on count as newer than this invalidation. */
  invalidate(tags: readonly string[], mode: InvalidationMode): void | Promise<void>
  /** How many of all invalidations this process knows, in a unit of the driver's own; it grows. */
  position(): number
  /**
   * What some tags say about an entry, as far as this process knows, whether or not the entry has
   * them. Without it, what was invalidated before this process began is not known.
   */
  freshnessByTags?(entry: Pick<CacheEntry, 'tags' | 'position'>): 'fresh' | 'stale' | 'expired'
  /** Listens to invalidations by other processes. @returns ends it */
  onInvalidated(listener: (invalidation: Invalidation) => void): () => void
  /**
   * Leases something that one process at a time is to do, or that is to be done once over all of
   * them. The next who asks gets the lease once it has lasted for `ttlMs`, or once its process was
   * killed, within `leaseMs`.
   * @param ttlMs how long the result is stored, too
   * @param leaseMs default 30 s
   */
  lease(key: string, ttlMs: number, leaseMs?: number): Promise<Lease>
  close(): Promise<void>
}
