import { describe, expect, test } from 'vitest'
import { createLoadCounter } from '../server/loadCounter.ts'
import type { Load } from '../shared/load.ts'
import { createReport, shareOf } from './report.ts'

const page: Load = { route: '/a', kind: 'push', outcome: 'page', ms: 100, attempts: 1 }

function countsOf(loads: readonly Load[], build = 'b1') {
  const counter = createLoadCounter(['/a', '/b'], build)
  counter.add({ build, loads })
  return counter.take()
}

describe('a report', () => {
  test('of nothing is empty', () => {
    const { all, routes, builds } = createReport([])
    expect([all.loads, all.medianMs, shareOf(all), routes, builds]).toEqual([0, null, 1, [], []])
  })

  test('adds up what several processes have counted', () => {
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

  test('tells pages and screens that have arrived from what has not', () => {
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
      ...{ loads: 7, arrived: 3, retried: 1, digests: ['6r3v-0m2k-x7q'] },
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
    const { medianMs, p95Ms } = createReport([countsOf(loads)]).all
    expect(medianMs).toBeGreaterThan(150)
    expect(medianMs).toBeLessThanOrEqual(200)
    expect(p95Ms).toBeGreaterThan(2000)
    expect(p95Ms).toBeLessThanOrEqual(3000)
  })
})
