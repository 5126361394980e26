type Limit = { readonly tries: number; readonly windowMs: number }

/** Creates a function that returns true if a key may try again. Counts are in the memory of this process. */
export function createRateLimit({ tries, windowMs }: Limit) {
  // Counts, ordered by the end of their time window.
  const counts = new Map<string, { count: number; readonly endsAtMs: number }>()
  return (key: string, nowMs = Date.now()): boolean => {
    for (const [old, { endsAtMs }] of counts) {
      if (endsAtMs > nowMs) break
      counts.delete(old)
    }
    const found = counts.get(key) ?? { count: 0, endsAtMs: nowMs + windowMs }
    counts.set(key, found)
    found.count += 1
    return found.count <= tries
  }
}
