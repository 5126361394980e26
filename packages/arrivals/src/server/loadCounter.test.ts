import { describe, expect, test } from 'vitest'
import { causes, type Load, loadKinds } from '../shared/load.ts'
import { bucketBounds, vitalBounds } from '../shared/series.ts'
import { type Vital, vitalNames } from '../shared/vital.ts'
import { createLoadCounter } from './loadCounter.ts'

const page: Load = { route: '/a', kind: 'push', outcome: 'page', ms: 120, attempts: 1 }

const countOf = (counter: ReturnType<typeof createLoadCounter>) =>
  counter.take().series.reduce((sum, { count }) => sum + count, 0)

describe('loads', () => {
  test('that are alike form one series, with their times in buckets', () => {
    const counter = createLoadCounter(['/a'], 'b1')
    const loads = [
      page,
      { ...page, ms: 130, attempts: 2 },
      { ...page, ms: 1e7 },
      { ...page, ms: null },
    ]
    counter.add({ build: 'b1', loads, vitals: [] })
    const { series, refused } = counter.take()
    expect(refused).toBe(0)
    expect(series).toMatchObject([
      { build: 'b1', route: '/a', kind: 'push', outcome: 'page', count: 4, retried: 1 },
    ])
    const buckets = series[0]?.buckets ?? []
    expect(buckets[bucketBounds.indexOf(150)]).toBe(2)
    expect(buckets.at(-1)).toBe(1)
    expect(buckets.reduce((sum, each) => sum + each)).toBe(3)
  })

  test('are counted once, because taking the counts resets them', () => {
    const counter = createLoadCounter(['/a'], 'b1')
    counter.add({ build: 'b1', loads: [page], vitals: [] })
    expect(countOf(counter)).toBe(1)
    expect(counter.isEmpty()).toBe(true)
    expect(countOf(counter)).toBe(0)
  })

  test('differ by route, outcome, status, end, cause and build', () => {
    const counter = createLoadCounter(['/a', '/b'], 'b1')
    const loads: Load[] = [
      page,
      { ...page, route: '/b' },
      { ...page, route: null },
      { ...page, kind: 'document' },
      { ...page, outcome: 'fallback', status: 404 },
      { ...page, outcome: 'fallback', status: 403 },
      { ...page, outcome: 'notice', end: 'left' },
      { ...page, cause: 'cut' },
    ]
    counter.add({ build: 'b1', loads, vitals: [] })
    counter.add({ build: 'b2', loads: [page], vitals: [] })
    expect(counter.take().series).toHaveLength(9)
  })
})

describe('vitals', () => {
  const vital: Vital = { route: '/a', name: 'LCP', isSoft: false, value: 800 }
  const counted = (vitals: readonly Vital[]) => {
    const counter = createLoadCounter(['/a', '/b'], 'b1')
    counter.add({ build: 'b1', loads: [], vitals })
    return counter.take().vitals
  }

  test('of one name and route form one series, with their values in buckets', () => {
    const [series, ...others] = counted([vital, { ...vital, value: 900 }, { ...vital, value: 1e6 }])
    expect(others).toEqual([])
    expect(series).toMatchObject({ build: 'b1', route: '/a', name: 'LCP', isSoft: false })
    expect(series?.buckets[bucketBounds.indexOf(1000)]).toBe(2)
    expect(series?.buckets.at(-1)).toBe(1)
  })

  test('have separate buckets for CLS', () => {
    const [series] = counted([{ ...vital, name: 'CLS', value: 90 }])
    expect(series?.buckets[vitalBounds('CLS').indexOf(100)]).toBe(1)
  })

  test('differ by route, name and kind of navigation, and unknown patterns are ignored', () => {
    const all = counted([
      vital,
      { ...vital, route: '/b' },
      { ...vital, route: null },
      { ...vital, isSoft: true },
      { ...vital, name: 'INP' as const },
      { ...vital, route: '/secret' },
    ])
    expect(all).toHaveLength(5)
  })
})

describe('an attack', () => {
  test('with unknown patterns is counted as refused, and not stored', () => {
    const counter = createLoadCounter(['/a'], 'b1')
    for (let at = 0; at < 10_000; at++) {
      counter.add({ build: 'b1', loads: [{ ...page, route: `/x${at}` }], vitals: [] })
    }
    counter.add({ build: 'b1', loads: [{ ...page, route: '/__proto__' }], vitals: [] })
    expect(counter.take()).toEqual({ series: [], vitals: [], documents: [], refused: 10_001 })
  })

  test('with many builds is limited to eight', () => {
    const counter = createLoadCounter(['/a'], 'own')
    for (let at = 0; at < 1_000; at++) counter.add({ build: `b${at}`, loads: [page], vitals: [] })
    counter.add({ build: 'own', loads: [page], vitals: [] })
    const { series } = counter.take()
    expect(series).toHaveLength(9)
    expect(series.find(({ build }) => build === null)?.count).toBe(993)
    expect(series.find(({ build }) => build === 'own')?.count).toBe(1)
  })

  test('with many digests keeps the first ones', () => {
    const counter = createLoadCounter(['/a'], 'b1')
    for (let at = 0; at < 100; at++) {
      const digest = `6r3v-0m2k-x${String(at).padStart(2, '0')}`
      counter.add({ build: 'b1', loads: [{ ...page, outcome: 'error', digest }], vitals: [] })
    }
    expect(counter.take().series[0]?.digests).toHaveLength(5)
  })

  test('with ever new vitals does not fill the memory', () => {
    const patterns = Array.from({ length: 300 }, (_, at) => `/p${at}`)
    const counter = createLoadCounter(patterns, 'b1')
    const vitals = patterns.flatMap((route) =>
      vitalNames.flatMap((name) =>
        [true, false].map((isSoft) => ({ route, name, isSoft, value: 100 })),
      ),
    )
    for (let build = 0; build < 20; build++) counter.add({ build: `b${build}`, loads: [], vitals })
    expect(counter.isFull()).toBe(true)
    expect(counter.take().vitals).toHaveLength(4_000)
  })

  test('with all allowed combinations reports when it is full', () => {
    const patterns = Array.from({ length: 100 }, (_, at) => `/p${at}`)
    const counter = createLoadCounter(patterns, 'b1')
    const loads = patterns.flatMap((route) =>
      loadKinds.flatMap((kind) => causes.map((cause) => ({ ...page, route, kind, cause }))),
    )
    counter.add({ build: 'b1', loads, vitals: [] })
    expect(counter.isFull()).toBe(true)
    counter.take()
    expect(counter.isFull()).toBe(false)
  })
})
