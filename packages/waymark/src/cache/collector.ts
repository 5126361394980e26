/** How long something may be kept, and what ends it earlier. */
export type CacheLife = {
  readonly tags: Iterable<string>
  /** Seconds until it is stale; `null`: only a tag makes it so. */
  readonly revalidateSeconds: number | null
  /** Seconds until it is gone; `null`: never. */
  readonly expireSeconds: number | null
}

/**
 * Gathers what a page, or a cached function, has read of the cache while it ran: it may live as
 * long as the part of it that lives shortest, and every tag of a part is one of the whole.
 */
export type DependencyTracker = CacheLife & {
  readonly tags: ReadonlySet<string>
  add(part: CacheLife): void
}

/** Makes a collector of nothing: it lives for ever. */
export function createDependencyTracker(): DependencyTracker {
  const tags = new Set<string>()
  let revalidateSeconds: number | null = null
  let expireSeconds: number | null = null
  return {
    tags,
    get revalidateSeconds() {
      return revalidateSeconds
    },
    get expireSeconds() {
      return expireSeconds
    },
    add(part) {
      for (const tag of part.tags) tags.add(tag)
      revalidateSeconds = shorterLife(revalidateSeconds, part.revalidateSeconds)
      expireSeconds = shorterLife(expireSeconds, part.expireSeconds)
    },
  }
}

/** The shorter of two times in seconds; `null` is for ever. */
export function shorterLife(one: number | null, other: number | null): number | null {
  return one === null ? other : other === null ? one : Math.min(one, other)
}
