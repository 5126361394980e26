/** How often something may happen. */
export type Rate = {
  /** At once, after a rest. */
  readonly burst: number
  /** On the long run. */
  readonly perSecond: number
}

/** Counts what happens against a rate. */
export type TokenBucket = {
  /** Tells whether it may happen once more, and counts it then. */
  take(nowMs: number): boolean
}

/** Makes a bucket: full at first, emptied by use, filled by time. */
export function createTokenBucket({ burst, perSecond }: Rate): TokenBucket {
  let tokens = burst
  let filledAtMs = Number.NEGATIVE_INFINITY
  return {
    take(nowMs) {
      // A clock that was set back fills nothing.
      const elapsedMs = Math.max(0, nowMs - filledAtMs)
      tokens = Math.min(burst, tokens + (elapsedMs / 1000) * perSecond)
      filledAtMs = nowMs
      if (tokens < 1) return false
      tokens--
      return true
    },
  }
}

/**
 * Makes buckets by key. When there are too many, the one that was first used is forgotten: it
 * would begin full again.
 */
export function createTokenBuckets(
  rate: Rate,
  maxKeys: number,
): { take(key: string, nowMs: number): boolean } {
  const buckets = new Map<string, TokenBucket>()
  return {
    take(key, nowMs) {
      let bucket = buckets.get(key)
      if (!bucket) {
        bucket = createTokenBucket(rate)
        buckets.set(key, bucket)
        if (buckets.size > maxKeys) {
          const [first] = buckets.keys()
          if (first !== undefined) buckets.delete(first)
        }
      }
      return bucket.take(nowMs)
    },
  }
}
