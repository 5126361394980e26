import { hasArrived, type Load } from '../shared/load.ts'

/** What tells one series of loads from another; `''` for what is not known. */
export type Labels = {
  readonly route: string
  readonly kind: Load['kind']
  readonly outcome: Load['outcome']
  /** Of an outcome, always the same but for a notice. */
  readonly arrived: 'true' | 'false'
  readonly build: string
}

/** In place of a route and a build, where there are too many combinations. */
const other = 'other'
/** Anybody may write any build. */
const maxBuilds = 8
/** Of other builds than the server's own, whose combinations the app limits. */
const maxOthers = 2_000

/**
 * Labels loads for metrics, which stay for the life of the process: in bounded number, whatever is
 * sent.
 * @returns the same object for the same labels; `null` for a route that the app has not
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
