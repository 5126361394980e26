import { groupBy } from '../shared/groupBy.ts'
import type { Counts } from '../shared/series.ts'
import { sum } from './percentile.ts'
import { type Counted, type Summary, shareOf, summaryOf } from './summary.ts'

/** Counts of one process. Times are in milliseconds since the epoch. */
export type CountedAt = Counts & { readonly fromMs: number; readonly toMs: number }

export type RouteSummary = Summary & {
  readonly route: string | null
  /** Values of the second-newest build; `null` if that build has no load of the route. */
  readonly before: Pick<Summary, 'loads' | 'arrived' | 'medianMs'> | null
}

export type BuildSummary = Summary & { readonly build: string | null }

export type Report = {
  readonly all: Summary
  /** Worst first: the smallest share of arrived loads at the top. */
  readonly routes: readonly RouteSummary[]
  /** Newest build first, by the time of its first load. */
  readonly builds: readonly BuildSummary[]
  /** Loads that weren't counted: the app has no such route, or there were too many combinations. */
  readonly refused: number
}

/** Counts for one route and build in one record. */
type Part = Counted & {
  readonly route: string | null
  readonly build: string | null
  readonly fromMs: number
  readonly toMs: number
}

/**
 * Adds up the counts of processes.
 * @param only a route and a build id or its beginning; `before` includes all builds
 */
export function createReport(
  counts: readonly CountedAt[],
  only: { readonly route?: string | undefined; readonly build?: string | undefined } = {},
): Report {
  const ofRoute = counts
    .flatMap(partsOf)
    .filter(({ route }) => only.route === undefined || route === only.route)
  // Sort builds by their first load, because open tabs report loads of an old build for days.
  const ofBuilds = [...groupBy(ofRoute, ({ build }) => build)].sort(
    ([, a], [, b]) => firstMsOf(b) - firstMsOf(a) || lastMsOf(b) - lastMsOf(a),
  )
  const named = ofBuilds.filter(([build]) => build !== null)
  const at = named.findIndex(([build]) => build?.startsWith(only.build ?? ''))
  const before = groupBy(at < 0 ? [] : (named[at + 1]?.[1] ?? []), ({ route }) => route)
  const builds =
    only.build === undefined
      ? ofBuilds
      : named.filter(([, buildSeries]) => buildSeries === named[at]?.[1])
  const wanted = builds.flatMap(([, buildSeries]) => buildSeries)
  return {
    all: summaryOf(wanted),
    routes: [...groupBy(wanted, ({ route }) => route)]
      .map(([route, routeSeries]) => ({
        route,
        ...summaryOf(routeSeries),
        before: comparable(before.get(route)),
      }))
      .filter(isCounted)
      .sort((a, b) => shareOf(a) - shareOf(b) || b.loads - a.loads),
    builds: builds
      .map(([build, buildSeries]) => ({ build, ...summaryOf(buildSeries) }))
      .filter(isCounted),
    refused: sum(counts.map(({ refused }) => refused)),
  }
}

/**
 * False for a route that has only vitals. Vitals arrive later than their load, which may be in an
 * earlier record.
 */
const isCounted = ({ loads, documents }: Summary) => loads + documents.sent > 0

function partsOf({ series, vitals, documents, fromMs, toMs }: CountedAt): Part[] {
  const keyOf = ({ route, build }: Pick<Part, 'route' | 'build'>) => JSON.stringify([route, build])
  const loadsBy = groupBy(series, keyOf)
  const vitalsBy = groupBy(vitals, keyOf)
  const documentsBy = groupBy(documents, keyOf)
  return [...groupBy([...series, ...documents, ...vitals], keyOf)].map(([key, [first]]) => ({
    route: first?.route ?? null,
    build: first?.build ?? null,
    fromMs,
    toMs,
    loads: loadsBy.get(key) ?? [],
    vitals: vitalsBy.get(key) ?? [],
    documents: documentsBy.get(key) ?? [],
  }))
}

const firstMsOf = (parts: readonly Part[]) =>
  parts.reduce((first, { fromMs }) => Math.min(first, fromMs), Number.POSITIVE_INFINITY)

const lastMsOf = (parts: readonly Part[]) =>
  parts.reduce((last, { toMs }) => Math.max(last, toMs), 0)

function comparable(parts: readonly Part[] | undefined): RouteSummary['before'] {
  if (!parts) return null
  const { loads, arrived, medianMs } = summaryOf(parts)
  return loads === 0 ? null : { loads, arrived, medianMs }
}
