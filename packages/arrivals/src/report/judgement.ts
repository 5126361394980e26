import type { Report, RouteSummary } from './report.ts'
import { type Summary, shareOf } from './summary.ts'

export type Bar = {
  /** Percent of the loads that must have arrived. */
  readonly failUnder: number
  /** A route with fewer loads is not judged, since one load would say too much. */
  readonly minLoads: number
}

/** The verdict about rolling a build out to more people. */
export type Judgement =
  | { readonly verdict: 'passed' }
  /** `routes`: the worst first; none where only all together fall short. */
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
