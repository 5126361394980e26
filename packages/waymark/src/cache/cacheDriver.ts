/** A value that is kept, and until when. */
export type CacheEntry = {
  readonly value: Uint8Array
  readonly tags: readonly string[]
  /** Begin of its computing. */
  readonly storedAtMs: number
  /** From then on it is stale: served, and refreshed behind. `null`: only a tag makes it so. */
  readonly revalidateAtMs: number | null
  /** From then on it is never served. `null`: only a tag, or want of room, ends it. */
  readonly expireAtMs: number | null
  /**
   * Where its driver stood, by `position()`, when its computing began: whatever was invalidated
   * since may not be in it.
   */
  readonly position: number
}

/** What becomes of entries: refreshed while they are served, or never served again. */
export type InvalidationMode = 'stale' | 'expired'

/** Entries that became invalid; `all` when it is not known any more which. */
export type Invalidation = {
  readonly tags: readonly string[] | 'all'
  readonly mode: InvalidationMode
}

/** Lets go of a lock. */
export type Release = () => Promise<void>

/** What came of asking for something that is to be done once over all processes. */
export type Lease =
  /** It is the caller's, who ends it by one of these. */
  | {
      readonly kind: 'ours'
      /** Keeps what came of it, for those who ask again. Resolves once other processes see it. */
      keep(result: Uint8Array): Promise<void>
      /** Leaves it undone: the next who asks may have it. */
      release(): Promise<void>
    }
  /** `null` where the result can't be read any more. */
  | { readonly kind: 'done'; readonly result: Uint8Array | null }
  | { readonly kind: 'running' }

/**
 * Where entries are kept. `cacheDriverSuite` says what each driver does. None of
 * its functions throws or rejects: a driver that can't reach its store answers as if it were
 * empty, and says so in the log once. Keys and tags have at most 200 characters.
 */
export type CacheDriver = {
  readonly name: string
  /**
   * An entry that may be served. One with a tag that was invalidated since its `position` comes as
   * stale (`revalidateAtMs` of 0), or not at all.
   */
  get(key: string): CacheEntry | null | Promise<CacheEntry | null>
  /** Resolves once other processes see it. */
  set(key: string, entry: CacheEntry): void | Promise<void>
  delete(key: string): void | Promise<void>
  /** Resolves once what this process computes from now on will not be held for older. */
  invalidate(tags: readonly string[], mode: InvalidationMode): void | Promise<void>
  /** How much of all invalidations is known here; grows, and is of use to this driver only. */
  position(): number
  /** Tells of invalidations by other processes. @returns the end of it */
  onInvalidated(listener: (invalidation: Invalidation) => void): () => void
  /**
   * Takes the right to compute a key, over all processes. A holder that is killed loses it within
   * `ttlMs`.
   * @returns `null` while somebody else has it
   */
  lock(key: string, ttlMs: number): Promise<Release | null>
  /**
   * Claims something that is to be done once over all processes. It goes to somebody else when its
   * holder is killed, some time after it was last heard of, or holds it for longer than `keepMs`.
   * @param keepMs how long its result is kept
   */
  claim(key: string, keepMs: number): Promise<Lease>
  close(): Promise<void>
}
