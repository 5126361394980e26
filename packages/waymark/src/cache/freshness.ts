import type { CacheEntry } from './driver.ts'

/** Whether an entry may be served: `fresh`; `stale` (serve it, then refresh it); `expired`. */
export type Freshness = 'fresh' | 'stale' | 'expired'

/**
 * Tells by its times whether an entry may be served.
 * @see RFC 5861 §3, stale-while-revalidate
 */
export function freshness(
  { revalidateAtMs, expireAtMs }: Pick<CacheEntry, 'revalidateAtMs' | 'expireAtMs'>,
  nowMs: number,
): Freshness {
  if (expireAtMs !== null && nowMs >= expireAtMs) return 'expired'
  return revalidateAtMs !== null && nowMs >= revalidateAtMs ? 'stale' : 'fresh'
}

/** The one of two that says less good of an entry. */
export function staler(a: Freshness, b: Freshness): Freshness {
  if (a === 'expired' || b === 'expired') return 'expired'
  return a === 'stale' || b === 'stale' ? 'stale' : 'fresh'
}
