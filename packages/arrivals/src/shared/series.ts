import type { Load } from './load.ts'
import type { Vital } from './vital.ts'

/** Loads that are alike but for their times. */
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
  /** Of them, those that took more than one attempt. */
  readonly retried: number
  /** How many took at most as long as the bound at the same place, and longer than the one before. */
  readonly buckets: readonly number[]
  /** Digests of the first errors. */
  readonly digests: readonly string[]
}

/** Vitals of one name, of a route's documents or soft navigations. */
export type VitalSeries = Omit<Vital, 'value'> & Pick<Series, 'build' | 'buckets'>

/** Documents that a server has sent to browsers, whether or not these told of them. */
export type SentDocuments = Pick<Series, 'route'> & {
  /** The server's. */
  readonly build: string
  readonly sent: number
  /** Of them, those that broke off. */
  readonly cut: number
}

/** What one process has counted: the `data` of a record in the journal. */
export type Counts = {
  readonly series: readonly Series[]
  readonly vitals: readonly VitalSeries[]
  readonly documents: readonly SentDocuments[]
  /** Loads of routes that the app has not, or of too many combinations. */
  readonly refused: number
}

/** Upper bounds in milliseconds; one more bucket is for what takes longer. */
export const bucketBounds = [
  10, 25, 50, 75, 100, 150, 200, 300, 400, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 10_000,
  20_000, 60_000,
] as const

const shiftBounds = [5, 10, 25, 50, 75, 100, 150, 200, 250, 350, 500, 1000, 2000] as const

/** Of CLS in thousandths, of the others in milliseconds. */
export function vitalBounds(name: Vital['name']): readonly number[] {
  return name === 'CLS' ? shiftBounds : bucketBounds
}

/** Counts a value in its bucket. */
export function increment(buckets: number[], value: number, bounds: readonly number[]): void {
  const bucketIndex = bounds.findIndex((bound) => value <= bound)
  const at = bucketIndex === -1 ? bounds.length : bucketIndex
  buckets[at] = (buckets[at] ?? 0) + 1
}

export const countsName = 'arrivals'
