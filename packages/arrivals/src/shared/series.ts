import type { Load } from './load.ts'

/** Loads that are alike but for their times. */
export type Series = {
  readonly build: string | null
  readonly route: string | null
  readonly kind: Load['kind']
  readonly outcome: Load['outcome']
  readonly status?: number
  readonly end?: Load['end']
  readonly cause?: Load['cause']
  readonly count: number
  /** Of them, those that took more than one attempt. */
  readonly retried: number
  /** How many took at most as long as the bound at the same place, and longer than the one before. */
  readonly buckets: readonly number[]
  /** Digests of the first errors. */
  readonly digests: readonly string[]
}

/** What one process has counted: the `data` of a record in the journal. */
export type Counts = {
  readonly series: readonly Series[]
  /** Loads of routes that the app has not, or of too many combinations. */
  readonly refused: number
}

/** Upper bounds in milliseconds; one more bucket is for what takes longer. */
export const bucketBounds = [
  ...[10, 25, 50, 75, 100, 150, 200, 300, 400, 500, 750],
  ...[1000, 1500, 2000, 3000, 4000, 6000, 10_000, 20_000, 60_000],
] as const

export const countsName = 'arrivals'
