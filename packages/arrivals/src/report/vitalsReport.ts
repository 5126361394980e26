import { type VitalSeries, vitalBounds } from '../shared/series.ts'
import { type VitalName, vitalNames } from '../shared/vital.ts'
import { percentile, sumBuckets } from './percentile.ts'

/** The 75th percentile of each vital; `null` if it wasn't measured. */
export type Vitals = Readonly<Record<VitalName, number | null>>

export type VitalsSummary = {
  readonly document: Vitals
  readonly soft: Vitals
}

export function vitalsOf(series: readonly VitalSeries[]): VitalsSummary {
  const of = (isSoft: boolean) =>
    Object.fromEntries(
      vitalNames.map((name) => {
        const matching = series.filter((each) => each.name === name && each.isSoft === isSoft)
        return [name, p75Of(name, sumBuckets(matching.map(({ buckets }) => buckets)))]
      }),
    ) as Vitals
  return { document: of(false), soft: of(true) }
}

function p75Of(name: VitalName, buckets: readonly number[]): number | null {
  const value = percentile(buckets, vitalBounds(name), 0.75)
  return name === 'CLS' && value !== null ? value / 1000 : value
}
