import type { Load } from './load.ts'
import type { Vital } from './vital.ts'

/** Counts of loads that differ only in their times. */
export type Series = {
  readonly build: string | null
  readonly route: string | null
  readonly kind: Load['kind']
  readonly outcome: Load['outcome']
  readonly status?: number
  readonly end?: Load['end']
  readonly cause?: Load['cause']
  readonly late?: Load['late']
  readonly count: number
  /** Number of loads that took more than one attempt. */
  readonly retried: number
  /** Number of loads by duration. Each bucket counts loads up to the bound with the same index. */
  readonly buckets: readonly number[]
  /** Digests of the first errors. */
  readonly digests: readonly string[]
}

/** Values of one vital, for the documents or the soft navigations of a route. */
export type VitalSeries = Omit<Vital, 'value'> & Pick<Series, 'build' | 'buckets'>

/**
 * Counts of documents that a server has sent to browsers, including documents that browsers haven't
 * reported.
 */
export type SentDocuments = Pick<Series, 'route'> & {
  /** Build of the server. */
  readonly build: string
  readonly sent: number
  /** Number of documents that were cut off. */
  readonly cut: number
}

/** Counts of one process: the `data` of a record in the journal. */
export type Counts = {
  readonly series: readonly Series[]
  readonly vitals: readonly VitalSeries[]
  readonly documents: readonly SentDocuments[]
  /** Loads that weren't counted: the app has no such route, or there were too many combinations. */
  readonly refused: number
}

/** Upper bounds in milliseconds. An additional bucket counts longer times. */
export const bucketBounds = [
  10, 25, 50, 75, 100, 150, 200, 300, 400, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 10_000,
  20_000, 60_000,
] as const

const shiftBounds = [5, 10, 25, 50, 75, 100, 150, 200, 250, 350, 500, 1000, 2000] as const

/** Returns the bounds for a vital: thousandths for CLS, milliseconds for the others. */
export function vitalBounds(name: Vital['name']): readonly number[] {
  return name === 'CLS' ? shiftBounds : bucketBounds
}

export function increment(buckets: number[], value: number, bounds: readonly number[]): void {
  const bucketIndex = bounds.findIndex((bound) => value <= bound)
  const at = bucketIndex === -1 ? bounds.length : bucketIndex
  buckets[at] = (buckets[at] ?? 0) + 1
}

export const countsName = 'arrivals'
