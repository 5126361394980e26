import { hasArrived, type Load } from '../shared/load.ts'

/** Labels of a series of loads; `''` for an unknown value. */
export type Labels = {
  readonly route: string
  readonly kind: Load['kind']
  readonly outcome: Load['outcome']
  /** Always the same for an `outcome`, except after a notice. */
  readonly arrived: 'true' | 'false'
  readonly build: string
}

/** Label that replaces the route and the build if there are too many combinations. */
const other = 'other'
/** Maximum number of builds in labels, because anybody can send any build. */
const maxBuilds = 8
/**
 * Maximum number of series from other builds. The app's routes limit the number of series from the
 * server's own build.
 */
const maxOthers = 2_000

/**
 * Creates labels for metrics. The number of labels is bounded, whatever browsers send, because metrics
 * stay in memory for the life of the process.
 * @returns a function that returns the same object for equal labels, and `null` for an unknown route
 */
export function createLabels(patterns: readonly string[], currentBuild: string) {
  const routes = new Set(patterns)
  const builds = new Set(['', currentBuild])
  const all = new Map<string, Labels>()
  let others = 0

  function buildOf(build: string): string {
    if (builds.size < maxBuilds) builds.add(build)
    return builds.has(build) ? build : other
  }

  function find(build: string, route: string, { kind, outcome, end }: Load): Labels | null {
    const arrived = hasArrived({ outcome, end }) ? 'true' : 'false'
    const key = `${build} ${kind} ${outcome} ${arrived} ${route}`
    const existing = all.get(key)
    if (existing) return existing
    const isOther = build !== currentBuild && route !== other
    if (isOther && others >= maxOthers) return null
    if (isOther) others++
    const labels: Labels = { route, kind, outcome, arrived, build }
    all.set(key, labels)
    return labels
  }

  return (sentBuild: string | null, load: Load): Labels | null => {
    if (load.route !== null && !routes.has(load.route)) return null
    const build = buildOf(sentBuild ?? '')
    return find(build, load.route ?? '', load) ?? find(other, other, load)
  }
}
