import { type Beacon, hasArrived } from '../shared/load.ts'
import { bucketBounds, increment } from '../shared/series.ts'
import { createLabels, type Labels } from './arrivalLabels.ts'
import { createInstrumentFinder } from './meter.ts'

type Histogram = { ms: number; readonly buckets: number[] }

/**
 * Counts loads from the start of the process, for Prometheus and, if the app has a meter, for
 * OpenTelemetry.
 */
export function createArrivalMetrics(patterns: readonly string[], currentBuild: string) {
  const labelsOf = createLabels(patterns, currentBuild)
  const findInstruments = createInstrumentFinder()
  const counters = new Map<Labels, number>()
  const histograms = new Map<string, Histogram>()

  function observe({ route }: Labels, ms: number): void {
    let histogram = histograms.get(route)
    if (!histogram) {
      histogram = { ms: 0, buckets: Array(bucketBounds.length + 1).fill(0) }
      histograms.set(route, histogram)
    }
    histogram.ms += ms
    increment(histogram.buckets, ms, bucketBounds)
  }

  return {
    add({ build, loads }: Beacon): void {
      const instruments = findInstruments()
      for (const load of loads) {
        const labels = labelsOf(build, load)
        if (labels === null) continue
        counters.set(labels, (counters.get(labels) ?? 0) + 1)
        instruments?.arrivals.add(1, labels)
        if (load.ms === null || !hasArrived(load)) continue
        observe(labels, load.ms)
        instruments?.duration.record(load.ms / 1000, labels)
      }
    },
    /** @see https://prometheus.io/docs/instrumenting/exposition_formats/ */
    text(): string {
      const lines = [
        '# TYPE waymark_arrivals_total counter',
        ...[...counters].map(
          ([labels, count]) => `waymark_arrivals_total{${labelText(labels)}} ${count}`,
        ),
        '# TYPE waymark_arrival_seconds histogram',
        ...[...histograms].flatMap(([route, histogram]) => histogramLines(route, histogram)),
      ]
      return `${lines.join('\n')}\n`
    },
  }
}

function histogramLines(route: string, { ms, buckets }: Histogram): string[] {
  const name = 'waymark_arrival_seconds'
  const labels = labelText({ route })
  let count = 0
  const lines = buckets.map((bucketCount, at) => {
    count += bucketCount
    const bound = bucketBounds[at]
    const le = bound === undefined ? '+Inf' : String(bound / 1000)
    return `${name}_bucket{${labels},le="${le}"} ${count}`
  })
  return [...lines, `${name}_sum{${labels}} ${ms / 1000}`, `${name}_count{${labels}} ${count}`]
}

function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`)
    .join()
}
