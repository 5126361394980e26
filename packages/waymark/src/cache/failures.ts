/** Keys whose refresh failed lately. */
export type ComputeBackoff = {
  /** Whether it is too early to try again. */
  mustWait(key: string): boolean
  add(key: string): void
  clear(key: string): void
}

const firstWaitMs = 1_000
const longestWaitMs = 60_000
const maxKeys = 10_000

/** Makes an empty list, bounded: the one that failed first is forgotten. */
export function createComputeBackoff(now: () => number): ComputeBackoff {
  const failures = new Map<string, { waitMs: number; untilMs: number }>()
  return {
    mustWait: (key) => failures.size > 0 && (failures.get(key)?.untilMs ?? 0) > now(),
    add(key) {
      const waitMs = Math.min((failures.get(key)?.waitMs ?? firstWaitMs / 2) * 2, longestWaitMs)
      failures.delete(key)
      failures.set(key, { waitMs, untilMs: now() + waitMs })
      const [oldest] = failures.keys()
      if (failures.size > maxKeys && oldest !== undefined) failures.delete(oldest)
    },
    clear(key) {
      failures.delete(key)
    },
  }
}
