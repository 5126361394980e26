import { groupBy } from 'waymark/internal/node'
import { outcomes } from '../shared/load.ts'
import { bucketBounds, type Counts, type Series } from '../shared/series.ts'

export type OutcomeCounts = Readonly<Record<Series['outcome'], number>>

/** Loads of a route, a build, or of all. */
export type Summary = {
  readonly loads: number
  /** Of them, those that ended with a page or a screen that the app meant, also after a notice. */
  readonly arrived: number
  /** Milliseconds, between the bounds of buckets; `null` without a time. */
  readonly medianMs: number | null
  readonly p95Ms: number | null
  readonly retried: number
  readonly outcomes: OutcomeCounts
  /** Of loads that were late or did not arrive, where the cause is known. */
  readonly causes: Readonly<Record<string, number>>
  readonly digests: readonly string[]
}

export type RouteSummary = Summary & { readonly route: string | null }
export type BuildSummary = Summary & { readonly build: string | null }

export type Report = {
  readonly all: Summary
  /** The worst first: those with the smallest share that has arrived. */
  readonly routes: readonly RouteSummary[]
  readonly builds: readonly BuildSummary[]
  /** Loads of routes that the app has not, or of too many combinations. */
  readonly refused: number
}

/** Adds up what processes have counted. */
export function createReport(counts: readonly Counts[]): Report {
  const series = counts.flatMap((each) => each.series)
  const routes = [...groupBy(series, ({ route }) => route)]
  const builds = [...groupBy(series, ({ build }) => build)]
  return {
    all: summaryOf(series),
    routes: routes
      .map(([route, own]) => ({ route, ...summaryOf(own) }))
      .sort((a, b) => shareOf(a) - shareOf(b) || b.loads - a.loads),
    builds: builds.map(([build, own]) => ({ build, ...summaryOf(own) })),
    refused: sum(counts.map(({ refused }) => refused)),
  }
}

/** @returns from 0 to 1; 1 without loads */
export function shareOf({ loads, arrived }: Pick<Summary, 'loads' | 'arrived'>): number {
  return loads === 0 ? 1 : arrived / loads
}

function summaryOf(series: readonly Series[]): Summary {
  const arrived = series.filter(hasArrived)
  const buckets = Array.from({ length: bucketBounds.length + 1 }, (_, at) =>
    sum(arrived.map((each) => each.buckets[at] ?? 0)),
  )
  const of = (outcome: Series['outcome']) => series.filter((each) => each.outcome === outcome)
  return {
    loads: countOf(series),
    arrived: countOf(arrived),
    medianMs: percentile(buckets, 0.5),
    p95Ms: percentile(buckets, 0.95),
    retried: sum(series.map(({ retried }) => retried)),
    outcomes: Object.fromEntries(
      outcomes.map((outcome) => [outcome, countOf(of(outcome))]),
    ) as OutcomeCounts,
    causes: Object.fromEntries(
      [...groupBy(series, ({ cause }) => cause)].flatMap(([cause, own]) =>
        cause === undefined ? [] : [[cause, countOf(own)]],
      ),
    ),
    digests: [...new Set(series.flatMap(({ digests }) => digests))].slice(0, 10),
  }
}

function hasArrived({ outcome, end }: Series): boolean {
  return outcome === 'page' || outcome === 'fallback' || end === 'arrived'
}

const countOf = (series: readonly Series[]) => sum(series.map(({ count }) => count))

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** Within a bucket, times count as spread evenly; beyond the last bound they count as the bound. */
function percentile(buckets: readonly number[], share: number): number | null {
  const total = sum(buckets)
  if (total === 0) return null
  const wanted = total * share
  let before = 0
  for (const [at, count] of buckets.entries()) {
    const [from, to] = [bucketBounds[at - 1] ?? 0, bucketBounds[at] ?? bucketBounds.at(-1) ?? 0]
    if (count > 0 && before + count >= wanted) {
      return Math.round(from + (to - from) * ((wanted - before) / count))
    }
    before += count
  }
  return null
}
