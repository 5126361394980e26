import type { Report, RouteSummary } from './report.ts'
import { type Summary, shareOf } from './summary.ts'

export type Bar = {
  /** Minimum percentage of loads that must have arrived. */
  readonly failUnder: number
  /** A route with fewer loads isn't judged, because a single load would weigh too much. */
  readonly minLoads: number
}

/** The verdict on rolling out a build to more people. */
export type Judgement =
  | { readonly verdict: 'passed' }
  /**
   * `routes` lists the routes below the threshold, worst first. It is empty if only the total of all
   * routes is below the threshold.
   */
  | { readonly verdict: 'short'; readonly routes: readonly RouteSummary[] }
  | { readonly verdict: 'too few loads' }

export function judge({ all, routes }: Report, { failUnder, minLoads }: Bar): Judgement {
  const isShort = (summary: Summary) =>
    summary.loads >= minLoads && shareOf(summary) * 100 < failUnder
  if (all.loads < Math.max(1, minLoads)) return { verdict: 'too few loads' }
  const short = routes.filter(isShort)
  return short.length > 0 || isShort(all)
    ? { verdict: 'short', routes: short }
    : { verdict: 'passed' }
}
