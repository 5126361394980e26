import { increment, type VitalSeries, vitalBounds } from '../shared/series.ts'
import type { Vital } from '../shared/vital.ts'

/**
 * Maximum number of series in memory, because anybody can send any combination. Further series aren't
 * counted until these are stored.
 */
const maxSeries = 4_000

/**
 * Adds up vitals. Memory use stays bounded, whatever browsers send.
 * @param routes patterns of the app's pages
 */
export function createVitalCounter(routes: ReadonlySet<string>) {
  let series = new Map<string, VitalSeries & { readonly buckets: number[] }>()

  return {
    add(build: string | null, { value, route, name, isSoft }: Vital): void {
      if (route !== null && !routes.has(route)) return
      const bounds = vitalBounds(name)
      const key = JSON.stringify([build, route, name, isSoft])
      const existing = series.get(key)
      if (!existing && series.size >= maxSeries) return
      const counting = existing ?? {
        build,
        route,
        name,
        isSoft,
        buckets: Array(bounds.length + 1).fill(0),
      }
      series.set(key, counting)
      increment(counting.buckets, value, bounds)
    },
    size: () => series.size,
    /** Returns the counts and starts again from zero. */
    take(): readonly VitalSeries[] {
      const counted = [...series.values()]
      series = new Map()
      return counted
    },
  }
}
