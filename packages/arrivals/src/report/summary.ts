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

/** Summary of the loads of a route, a build or all together. */
export type Summary = {
  readonly loads: number
  /** Loads that ended with a page or a screen that the app intended, possibly after a notice. */
  readonly arrived: number
  /** Milliseconds, interpolated within a bucket; `null` without a measured time. */
  readonly medianMs: number | null
  readonly p75Ms: number | null
  readonly p99Ms: number | null
  readonly retried: number
  readonly outcomes: OutcomeCounts
  /** Number of loads by cause. Includes loads that were late or did not arrive, if the cause is known. */
  readonly causes: Readonly<Record<string, number>>
  /**
   * Number of slow navigations (more than a second), grouped by the part of the page that took longest.
   */
  readonly late: Readonly<Record<string, number>>
  readonly digests: readonly string[]
  readonly documents: DocumentsSummary
  /** Vitals of documents, and of navigations without a document if the browser measures them. */
  readonly vitals: VitalsSummary
}

export type DocumentsSummary = {
  /** Number of documents that Node servers sent to browsers, recognised by a request header. */
  readonly sent: number
  /** Number of documents that were cut off. */
  readonly cut: number
  /**
   * Number of loads that browsers reported. A browser reports nothing if scripts are off or it was
   * closed early.
   */
  readonly reported: number
}

/** Counts of a route and a build. */
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
