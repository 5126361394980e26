/** Keys that something holds of for a while. */
export type TtlSet = {
  has(key: string): boolean
  set(key: string, forMs: number): void
}

const maxKeys = 10_000

/** Makes an empty set, bounded: the key that was set first makes room. */
export function createTtlSet(now: () => number): TtlSet {
  const untilMs = new Map<string, number>()
  return {
    has: (key) => untilMs.size > 0 && (untilMs.get(key) ?? 0) > now(),
    set(key, forMs) {
      untilMs.delete(key)
      untilMs.set(key, now() + forMs)
      const [oldest] = untilMs.keys()
      if (untilMs.size > maxKeys && oldest !== undefined) untilMs.delete(oldest)
    },
  }
}
