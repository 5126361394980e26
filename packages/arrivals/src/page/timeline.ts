import type { BuildSummary, CountedAt } from '../report/report.ts'
import { hasArrived } from '../shared/load.ts'

export type Interval = { readonly fromMs: number; readonly loads: number; readonly arrived: number }

/** Time at which page loads of a build were first counted. */
export type Deploy = { readonly build: string; readonly atMs: number }

/** Milliseconds since the epoch. */
export type Timeline = {
  readonly fromMs: number
  readonly toMs: number
  readonly stepMs: number
  /** All intervals of the period, including those without loads. */
  readonly intervals: readonly Interval[]
  /** Oldest first. */
  readonly deploys: readonly Deploy[]
}

const minuteMs = 60_000
/** Interval lengths that are easy to read on an axis. */
const steps = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080].map(
  (minutes) => minutes * minuteMs,
)
const maxIntervals = 84

/**
 * Distributes counts over intervals of equal length. A record's counts are assigned to the middle of its
 * time. Servers write one record every five minutes.
 * @param only the report's builds, and a route @returns `null` if there are no loads
 */
export function createTimeline(
  counts: readonly CountedAt[],
  only: { readonly builds: readonly BuildSummary[]; readonly route?: string | undefined },
): Timeline | null {
  const ids = new Set(only.builds.map(({ build }) => build))
  const series = counts.flatMap(({ series, fromMs, toMs }) =>
    series
      .filter(({ build, route }) => ids.has(build) && [undefined, route].includes(only.route))
      .map((each) => ({ ...each, fromMs, atMs: (fromMs + toMs) / 2 })),
  )
  if (series.length === 0) return null
  const [first, last] = boundsOf(series.map(({ atMs }) => atMs))
  const stepMs = steps.find((step) => (last - first) / step < maxIntervals - 1) ?? last - first
  const startMs = Math.floor(first / stepMs) * stepMs
  const count = Math.floor((last - startMs) / stepMs) + 1
  const intervals = Array.from({ length: count }, (_, at) => ({
    fromMs: startMs + at * stepMs,
    loads: 0,
    arrived: 0,
  }))
  const firstOf = new Map<string, number>()
  for (const each of series) {
    const interval = intervals[Math.floor((each.atMs - startMs) / stepMs)]
    if (interval) interval.loads += each.count
    if (interval && hasArrived(each)) interval.arrived += each.count
    const { build, fromMs } = each
    if (build !== null) firstOf.set(build, Math.min(fromMs, firstOf.get(build) ?? fromMs))
  }
  const deploys = [...firstOf].map(([build, atMs]) => ({ build, atMs: Math.max(startMs, atMs) }))
  return {
    fromMs: startMs,
    toMs: startMs + count * stepMs,
    stepMs,
    intervals,
    deploys: deploys.sort((a, b) => a.atMs - b.atMs),
  }
}

function boundsOf(numbers: readonly number[]): [least: number, most: number] {
  return numbers.reduce(
    ([least, most], each) => [Math.min(least, each), Math.max(most, each)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
}
