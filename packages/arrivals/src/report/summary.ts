import { groupBy } from '../shared/groupBy.ts'
import { hasArrived, outcomes } from '../shared/load.ts'
import {
  bucketBounds,
  type SentDocuments,
  type Series,
  type VitalSeries,
} from '../shared/series.ts'
import { percentile, sum, sumBuckets } from './percentile.ts'
import { type VitalsSummary, vitalsOf } from './vitalsReport.ts'

export type OutcomeCounts = Readonly<Record<Series['outcome'], number>>

/** Loads of a route, a build, or of all. */
export type Summary = {
  readonly loads: number
  /** Of them, those that ended with a page or a screen that the app meant, also after a notice. */
  readonly arrived: number
  /** Milliseconds, between the bounds of buckets; `null` without a time. */
  readonly medianMs: number | null
  readonly p75Ms: number | null
  readonly p99Ms: number | null
  readonly retried: number
  readonly outcomes: OutcomeCounts
  /** Of loads that were late or did not arrive, where the cause is known. */
  readonly causes: Readonly<Record<string, number>>
  /** Of loads by the router that took more than a second: what they waited for longest. */
  readonly late: Readonly<Record<string, number>>
  readonly digests: readonly string[]
  readonly documents: DocumentsSummary
  /** Of documents, and of navigations without one where browsers tell. */
  readonly vitals: VitalsSummary
}

export type DocumentsSummary = {
  /** By Node servers to browsers, as these say. */
  readonly sent: number
  /** Of them, those that broke off. */
  readonly cut: number
  /** Loads that browsers have reported. Without scripts, or closed early, they report nothing. */
  readonly reported: number
}

/** What was counted of a route and a build. */
export type Counted = {
  readonly loads: readonly Series[]
  readonly vitals: readonly VitalSeries[]
  readonly documents: readonly SentDocuments[]
}

/** @returns from 0 to 1; 1 without loads */
export function shareOf({ loads, arrived }: Pick<Summary, 'loads' | 'arrived'>): number {
  return loads === 0 ? 1 : arrived / loads
}

export function summaryOf(counted: readonly Counted[]): Summary {
  const series = counted.flatMap(({ loads }) => loads)
  const documents = counted.flatMap((each) => each.documents)
  const arrived = series.filter(hasArrived)
  const times = sumBuckets(arrived.map(({ buckets }) => buckets))
  const of = (outcome: Series['outcome']) => series.filter((each) => each.outcome === outcome)
  return {
    loads: countOf(series),
    arrived: countOf(arrived),
    medianMs: percentile(times, bucketBounds, 0.5),
    p75Ms: percentile(times, bucketBounds, 0.75),
    p99Ms: percentile(times, bucketBounds, 0.99),
    retried: sum(series.map(({ retried }) => retried)),
    outcomes: Object.fromEntries(
      outcomes.map((outcome) => [outcome, countOf(of(outcome))]),
    ) as OutcomeCounts,
    causes: countBy(series, ({ cause }) => cause),
    late: countBy(series, ({ late }) => late),
    digests: [...new Set(series.flatMap(({ digests }) => digests))].slice(0, 10),
    documents: {
      sent: sum(documents.map(({ sent }) => sent)),
      cut: sum(documents.map(({ cut }) => cut)),
      reported: countOf(series.filter(({ kind }) => kind === 'document')),
    },
    vitals: vitalsOf(counted.flatMap(({ vitals }) => vitals)),
  }
}

function countBy(
  series: readonly Series[],
  keyOf: (series: Series) => string | undefined,
): Record<string, number> {
  const groups = [...groupBy(series, keyOf)]
  return Object.fromEntries(
    groups.flatMap(([key, groupSeries]) =>
      key === undefined ? [] : [[key, countOf(groupSeries)]],
    ),
  )
}

const countOf = (series: readonly Series[]) => sum(series.map(({ count }) => count))
