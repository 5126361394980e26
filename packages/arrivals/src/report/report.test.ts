import { describe, expect, test } from 'vitest'
import { createLoadCounter } from '../server/loadCounter.ts'
import type { Load } from '../shared/load.ts'
import type { Vital } from '../shared/vital.ts'
import { createReport } from './report.ts'
import { shareOf } from './summary.ts'

const page: Load = { route: '/a', kind: 'push', outcome: 'page', ms: 100, attempts: 1 }

function countsOf(loads: readonly Load[], build = 'b1', fromMs = 1) {
  const counter = createLoadCounter(['/a', '/b'], build)
  counter.add({ build, loads, vitals: [] })
  return { ...counter.take(), fromMs, toMs: fromMs + 300 }
}

describe('a report', () => {
  test('without counts is empty', () => {
    const { all, routes, builds } = createReport([])
    expect([all.loads, all.medianMs, shareOf(all), routes, builds]).toEqual([0, null, 1, [], []])
  })

  test('adds up the counts of several processes', () => {
    const { all, builds } = createReport([
      countsOf([page, page]),
      countsOf([page], 'b1'),
      countsOf([page], 'b2'),
    ])
    expect(all).toMatchObject({ loads: 4, arrived: 4 })
    expect(builds).toMatchObject([
      { build: 'b1', loads: 3 },
      { build: 'b2', loads: 1 },
    ])
  })

  test('distinguishes arrived pages and screens from other outcomes', () => {
    const { all } = createReport([
      countsOf([
        page,
        { ...page, outcome: 'fallback', status: 404 },
        { ...page, outcome: 'error', digest: '6r3v-0m2k-x7q' },
        { ...page, outcome: 'notice', end: 'arrived', attempts: 3, cause: 'cut' },
        { ...page, outcome: 'notice', end: 'gave-up' },
        { ...page, outcome: 'left' },
        { ...page, outcome: 'never' },
      ]),
    ])
    expect(all).toMatchObject({
      loads: 7,
      arrived: 3,
      retried: 1,
      digests: ['6r3v-0m2k-x7q'],
      causes: { cut: 1 },
      outcomes: { page: 1, fallback: 1, error: 1, notice: 2, left: 1, never: 1 },
    })
  })

  test('has the worst route first', () => {
    const loads = [page, page, { ...page, route: '/b' }, { ...page, route: '/b', outcome: 'never' }]
    const { routes } = createReport([countsOf(loads as Load[])])
    expect(routes.map(({ route }) => route)).toEqual(['/b', '/a'])
  })

  test('estimates times within the bounds of their buckets', () => {
    const loads = Array.from({ length: 100 }, (_, at) => ({ ...page, ms: at < 90 ? 180 : 2500 }))
    const { medianMs, p75Ms, p99Ms } = createReport([countsOf(loads)]).all
    expect(medianMs).toBeGreaterThan(150)
    expect(p75Ms).toBeGreaterThan(medianMs ?? 0)
    expect(p75Ms).toBeLessThanOrEqual(200)
    expect(p99Ms).toBeGreaterThan(2000)
    expect(p99Ms).toBeLessThanOrEqual(3000)
  })

  const never: Load = { ...page, outcome: 'never' }
  const threeBuilds = [
    countsOf([page], 'aa1', 1),
    countsOf([page, never], 'ab2', 5),
    countsOf([page, page, never], 'ac3', 9),
    countsOf([page], 'ab2', 30),
  ]

  test('has the newest build first, and compares routes with the previous build', () => {
    const { builds, routes } = createReport(threeBuilds)
    expect(builds.map(({ build }) => build)).toEqual(['ac3', 'ab2', 'aa1'])
    expect(routes).toMatchObject([{ loads: 7, before: { loads: 3, arrived: 2 } }])
  })

  test.each([
    ['ab2', 'ab2', 3, 1],
    ['ab', 'ab2', 3, 1],
    ['a', 'ac3', 3, 3],
  ])('of the build %s', (build, matchedBuild, loads, before) => {
    const report = createReport(threeBuilds, { build })
    expect(report.builds.map((each) => each.build)).toEqual([matchedBuild])
    expect([report.all.loads, report.routes[0]?.before?.loads]).toEqual([loads, before])
  })

  test('of an unknown build is empty', () => {
    const { all, builds } = createReport(threeBuilds, { build: 'zz' })
    expect([all.loads, builds]).toEqual([0, []])
  })

  test('has the 75th percentile of vitals for each route and build', () => {
    const counter = createLoadCounter(['/a', '/b'], 'b1')
    const vital: Vital = { route: '/a', name: 'LCP', isSoft: false, value: 700 }
    const shift: Vital = { route: '/a', name: 'CLS', isSoft: true, value: 40 }
    counter.add({ build: 'b1', loads: [page], vitals: [vital, vital, vital, shift] })
    counter.add({ build: 'b1', loads: [], vitals: [{ ...vital, route: '/b', value: 3000 }] })
    const report = createReport([{ ...counter.take(), fromMs: 1, toMs: 2 }])
    const [route] = report.routes
    expect(route?.vitals.document.LCP).toBeGreaterThan(500)
    expect(route?.vitals.document.LCP).toBeLessThanOrEqual(750)
    expect(route?.vitals.document.INP).toBeNull()
    expect(route?.vitals.soft.CLS).toBeGreaterThan(0.025)
    expect(route?.vitals.soft.CLS).toBeLessThanOrEqual(0.05)
    expect(report.builds[0]?.vitals).toEqual(report.all.vitals)
  })

  test('of one route contains that route only', () => {
    const counts = [countsOf([page, { ...page, route: '/b' }])]
    expect(createReport(counts, { route: '/b' }).all.loads).toBe(1)
  })

  test('has sent documents next to reported ones, even without a report', () => {
    const counter = createLoadCounter(['/a', '/b'], 'b1')
    const sent = { status: 200, isCut: false }
    for (const route of ['/a', '/a', '/a', '/b']) counter.addDocument({ route, ...sent })
    counter.addDocument({ route: '/a', ...sent, isCut: true })
    counter.add({ build: 'b1', loads: [page, { ...page, kind: 'document' }], vitals: [] })
    const { all, routes } = createReport([{ ...counter.take(), fromMs: 1, toMs: 2 }])
    expect(all.documents).toEqual({ sent: 5, cut: 1, reported: 1 })
    expect(routes.map(({ route, documents }) => [route, documents])).toEqual([
      ['/a', { sent: 4, cut: 1, reported: 1 }],
      ['/b', { sent: 1, cut: 0, reported: 0 }],
    ])
  })

  test('has no row for vitals whose load was in an earlier record', () => {
    const counter = createLoadCounter(['/a'], 'b1')
    const vital: Vital = { route: '/a', name: 'CLS', isSoft: false, value: 1 }
    counter.add({ build: 'b1', loads: [], vitals: [vital] })
    const { routes, builds } = createReport([{ ...counter.take(), fromMs: 1, toMs: 2 }])
    expect([routes, builds]).toEqual([[], []])
  })

  test('says what late loads waited for', () => {
    const slow: Load = { ...page, ms: 1_500, late: 'code' }
    expect(createReport([countsOf([page, slow, slow])]).all.late).toEqual({ code: 2 })
  })
})
