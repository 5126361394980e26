import type { Beacon, Load } from '../shared/load.ts'
import { bucketBounds, type Counts, increment, type Series } from '../shared/series.ts'
import { createDocumentCounter } from './documentCounter.ts'
import { createVitalCounter } from './vitalCounter.ts'

type Counting = { -readonly [Key in keyof Series]: Series[Key] } & {
  readonly buckets: number[]
  readonly digests: string[]
}

/** Number of series from which the counts should be stored soon. */
const manySeries = 2_000
/**
 * Maximum number of series in memory, because anybody can send any combination. Further series aren't
 * counted until these are stored.
 */
const maxSeries = 4_000
/** Maximum number of builds, because anybody can send any build. Further builds count as unknown. */
const maxBuilds = 8
const maxDigests = 5

export type LoadCounter = ReturnType<typeof createLoadCounter>

/**
 * Adds up loads and vitals. Memory use stays bounded, whatever browsers send.
 * @param patterns routes of the app's pages
 */
export function createLoadCounter(patterns: readonly string[], currentBuild: string) {
  const routes = new Set(patterns)
  let series = new Map<string, Counting>()
  const vitals = createVitalCounter(routes)
  const documents = createDocumentCounter(routes, currentBuild)
  let builds = new Set([currentBuild])
  let refused = 0

  function buildOf(build: string | null): string | null {
    if (build === null || builds.has(build)) return build
    if (builds.size >= maxBuilds) return null
    builds.add(build)
    return build
  }

  function seriesOf(build: string | null, load: Load): Counting | null {
    const { route, kind, outcome, status, end, cause, late } = load
    const key = JSON.stringify([build, route, kind, outcome, status, end, cause, late])
    const existing = series.get(key)
    if (existing) return existing
    if (series.size >= maxSeries) return null
    const created = emptySeries(build, load)
    series.set(key, created)
    return created
  }

  function addLoad(build: string | null, load: Load): void {
    const { route, ms, attempts, digest } = load
    const counting = route === null || routes.has(route) ? seriesOf(build, load) : null
    if (counting === null) {
      refused++
      return
    }
    counting.count++
    if (attempts > 1) counting.retried++
    if (digest !== undefined && counting.digests.length < maxDigests) counting.digests.push(digest)
    if (ms !== null) increment(counting.buckets, ms, bucketBounds)
  }

  return {
    add(beacon: Beacon): void {
      const build = buildOf(beacon.build)
      for (const load of beacon.loads) addLoad(build, load)
      for (const vital of beacon.vitals) vitals.add(build, vital)
    },
    addDocument: documents.add,
    isEmpty: () => series.size + vitals.size() + refused === 0 && documents.isEmpty(),
    isFull: () => series.size + vitals.size() >= manySeries,
    /** Returns the counts and starts again from zero. */
    take(): Counts {
      const rest = { vitals: vitals.take(), documents: documents.take(), refused }
      const counts = { series: [...series.values()], ...rest }
      series = new Map()
      builds = new Set([currentBuild])
      refused = 0
      return counts
    },
  }
}

function emptySeries(build: string | null, load: Load): Counting {
  const { route, kind, outcome, status, end, cause, late } = load
  return {
    build,
    route,
    kind,
    outcome,
    count: 0,
    retried: 0,
    digests: [],
    ...(status === undefined ? {} : { status }),
    ...(end === undefined ? {} : { end }),
    ...(cause === undefined ? {} : { cause }),
    ...(late === undefined ? {} : { late }),
    buckets: Array(bucketBounds.length + 1).fill(0),
  }
}
