import { groupBy } from 'waymark/internal/node'
import { outcomes } from '../shared/load.ts'
import { bucketBounds, type Counts, type Series, type VitalSeries } from '../shared/series.ts'
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
  readonly digests: readonly string[]
  /** Of documents, and of navigations without one where browsers tell. */
  readonly vitals: VitalsSummary
}

/** What a process has counted, in milliseconds since the epoch. */
export type CountedAt = Counts & { readonly fromMs: number; readonly toMs: number }

export type RouteSummary = Summary & {
  readonly route: string | null
  /** Of the build before the newest; `null` where that has no load of the route. */
  readonly before: Pick<Summary, 'loads' | 'arrived' | 'medianMs'> | null
}

export type BuildSummary = Summary & { readonly build: string | null }

export type Report = {
  readonly all: Summary
  /** The worst first: those with the smallest share that has arrived. */
  readonly routes: readonly RouteSummary[]
  /** The newest first: that of which loads were counted last of all for the first time. */
  readonly builds: readonly BuildSummary[]
  /** Loads of routes that the app has not, or of too many combinations. */
  readonly refused: number
}

/**
 * Adds up what processes have counted.
 * @param only a route and a build, or the beginning of its name; `before` is of all builds
 */
export function createReport(
  counts: readonly CountedAt[],
  only: { readonly route?: string | undefined; readonly build?: string | undefined } = {},
): Report {
  const isOfRoute = ({ route }: { readonly route: string | null }) =>
    only.route === undefined || route === only.route
  const ofRoute = counts
    .flatMap(({ series, fromMs, toMs }) => series.map((each) => ({ ...each, fromMs, toMs })))
    .filter(isOfRoute)
  const ofBuilds = [...groupBy(ofRoute, ({ build }) => build)].sort(
    ([, a], [, b]) => firstMsOf(b) - firstMsOf(a) || lastMsOf(b) - lastMsOf(a),
  )
  const named = ofBuilds.filter(([build]) => build !== null)
  const at = named.findIndex(([build]) => build?.startsWith(only.build ?? ''))
  const before = groupBy(at < 0 ? [] : (named[at + 1]?.[1] ?? []), ({ route }) => route)
  const builds =
    only.build === undefined ? ofBuilds : named.filter(([, own]) => own === named[at]?.[1])
  const series = builds.flatMap(([, own]) => own)
  const ids = new Set(builds.map(([build]) => build))
  const vitals = counts
    .flatMap((each) => each.vitals)
    .filter((each) => isOfRoute(each) && ids.has(each.build))
  const vitalsOfRoute = groupBy(vitals, ({ route }) => route)
  const vitalsOfBuild = groupBy(vitals, ({ build }) => build)
  return {
    all: summaryOf(series, vitals),
    routes: [...groupBy(series, ({ route }) => route)]
      .map(([route, own]) => ({
        ...{ route, ...summaryOf(own, vitalsOfRoute.get(route)) },
        before: comparable(before.get(route)),
      }))
      .sort((a, b) => shareOf(a) - shareOf(b) || b.loads - a.loads),
    builds: builds.map(([build, own]) => ({ build, ...summaryOf(own, vitalsOfBuild.get(build)) })),
    refused: sum(counts.map(({ refused }) => refused)),
  }
}

// Tabs that stay open report loads of their build for days.
const firstMsOf = (series: readonly { readonly fromMs: number }[]) =>
  series.reduce((first, { fromMs }) => Math.min(first, fromMs), Number.POSITIVE_INFINITY)

const lastMsOf = (series: readonly { readonly toMs: number }[]) =>
  series.reduce((last, { toMs }) => Math.max(last, toMs), 0)

function comparable(series: readonly Series[] | undefined): RouteSummary['before'] {
  if (!series) return null
  const { loads, arrived, medianMs } = summaryOf(series, [])
  return { loads, arrived, medianMs }
}

/** @returns from 0 to 1; 1 without loads */
export function shareOf({ loads, arrived }: Pick<Summary, 'loads' | 'arrived'>): number {
  return loads === 0 ? 1 : arrived / loads
}

function summaryOf(series: readonly Series[], vitals: readonly VitalSeries[] = []): Summary {
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
    causes: Object.fromEntries(
      [...groupBy(series, ({ cause }) => cause)].flatMap(([cause, own]) =>
        cause === undefined ? [] : [[cause, countOf(own)]],
      ),
    ),
    digests: [...new Set(series.flatMap(({ digests }) => digests))].slice(0, 10),
    vitals: vitalsOf(vitals),
  }
}

export function hasArrived({ outcome, end }: Series): boolean {
  return outcome === 'page' || outcome === 'fallback' || end === 'arrived'
}

const countOf = (series: readonly Series[]) => sum(series.map(({ count }) => count))
