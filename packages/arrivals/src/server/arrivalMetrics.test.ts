import { metrics as api } from '@opentelemetry/api'
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { afterEach, describe, expect, test } from 'vitest'
import { hasArrived, type Load, noticeEnds, outcomes } from '../shared/load.ts'
import { createArrivalMetrics } from './arrivalMetrics.ts'
import { createLoadCounter } from './loadCounter.ts'

const page: Load = { route: '/a', kind: 'push', outcome: 'page', ms: 120, attempts: 1 }

function create(patterns = ['/a', '/b']) {
  const metrics = createArrivalMetrics(patterns, 'b1')
  const lines = (start: string) =>
    metrics
      .text()
      .split('\n')
      .filter((line) => line.startsWith(start))
  const add = (loads: readonly Load[], build: string | null = 'b1') =>
    metrics.add({ build, loads, vitals: [] })
  return { add, lines, text: metrics.text }
}

describe('for Prometheus', () => {
  test('loads are counted by route, kind, outcome, arrival and build', () => {
    const { add, lines } = create()
    add([page, page, { ...page, outcome: 'never' }])
    add([{ ...page, route: null }], null)
    expect(lines('waymark_arrivals_total')).toEqual([
      'waymark_arrivals_total{route="/a",kind="push",outcome="page",arrived="true",build="b1"} 2',
      'waymark_arrivals_total{route="/a",kind="push",outcome="never",arrived="false",build="b1"} 1',
      'waymark_arrivals_total{route="",kind="push",outcome="page",arrived="true",build=""} 1',
    ])
  })

  test('loads count as arrived as in the report, even after a notice', () => {
    const { add, lines } = create()
    const counter = createLoadCounter(['/a', '/b'], 'b1')
    const loads = outcomes.flatMap((outcome): Load[] =>
      outcome === 'notice'
        ? noticeEnds.map((end) => ({ ...page, outcome, end }))
        : [{ ...page, outcome }],
    )
    add(loads)
    counter.add({ build: 'b1', loads, vitals: [] })
    const arrived = lines('waymark_arrivals_total').filter((line) => /arrived="true"/.test(line))
    const counted = arrived.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    expect(counted).toBe(3)
    const series = counter.take().series.filter(hasArrived)
    expect(series.reduce((sum, { count }) => sum + count, 0)).toBe(counted)
  })

  test('times of arrived loads are counted in cumulative buckets', () => {
    const { add, lines } = create()
    const lateLoad = { ...page, outcome: 'notice', end: 'arrived', ms: 70_000 } as const
    add([page, lateLoad, { ...page, outcome: 'left', ms: 50 }, { ...page, ms: null }])
    const [first, ...buckets] = lines('waymark_arrival_seconds_bucket')
    expect(first).toBe('waymark_arrival_seconds_bucket{route="/a",le="0.01"} 0')
    expect(buckets.at(-2)).toBe('waymark_arrival_seconds_bucket{route="/a",le="60"} 1')
    expect(buckets.at(-1)).toBe('waymark_arrival_seconds_bucket{route="/a",le="+Inf"} 2')
    expect(lines('waymark_arrival_seconds_sum')).toEqual([
      'waymark_arrival_seconds_sum{route="/a"} 70.12',
    ])
    expect(lines('waymark_arrival_seconds_count')).toEqual([
      'waymark_arrival_seconds_count{route="/a"} 2',
    ])
  })

  test('a route is escaped', () => {
    const { add, lines } = create(['/"a\\'])
    add([{ ...page, route: '/"a\\' }])
    expect(lines('waymark_arrivals_total')[0]).toContain('route="/\\"a\\\\"')
  })

  test('whatever is sent, the series stay bounded and no load of the app is lost', () => {
    const patterns = Array.from({ length: 400 }, (_, at) => `/r${at}`)
    const { add, lines } = create(patterns)
    for (let at = 0; at < 50; at++) {
      add(
        patterns.map((route) => ({ ...page, route })),
        `sent-${at}`,
      )
    }
    add(patterns.map((route) => ({ ...page, route })))
    add([{ ...page, route: '/unknown' }])
    const counters = lines('waymark_arrivals_total')
    expect(counters.length).toBeLessThanOrEqual(2_000 + 1 + patterns.length)
    expect(counters.filter((line) => line.includes('build="b1"'))).toHaveLength(400)
    const total = counters.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    expect(total).toBe(51 * 400)
  })
})

describe('for OpenTelemetry', () => {
  afterEach(() => api.disable())

  test('an app without a meter provider has no instruments, and a later provider is found', async () => {
    const { add } = create()
    add([page])
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })
    const provider = new MeterProvider({ readers: [reader] })
    api.setGlobalMeterProvider(provider)
    add([page, { ...page, outcome: 'left' }])
    await provider.forceFlush()
    const [scope] = exporter.getMetrics()[0]?.scopeMetrics ?? []
    const [arrivals, duration] = scope?.metrics ?? []
    expect([scope?.scope.name, arrivals?.descriptor.name]).toEqual(['waymark', 'waymark.arrivals'])
    const points = arrivals?.dataPoints as DataPoint<number>[]
    expect(points.map(({ attributes, value }) => [attributes, value])).toEqual([
      [{ route: '/a', kind: 'push', outcome: 'page', arrived: 'true', build: 'b1' }, 1],
      [{ route: '/a', kind: 'push', outcome: 'left', arrived: 'false', build: 'b1' }, 1],
    ])
    expect(duration?.descriptor).toMatchObject({ name: 'waymark.arrival.duration', unit: 's' })
    const [histogram] = (duration?.dataPoints ?? []) as DataPoint<Histogram>[]
    expect(histogram?.value).toMatchObject({ count: 1, sum: 0.12 })
    expect(histogram?.value.buckets.boundaries).toContain(0.15)
    await provider.shutdown()
  })
})
