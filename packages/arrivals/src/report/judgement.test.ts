import { expect, test } from 'vitest'
import { createLoadCounter } from '../server/loadCounter.ts'
import type { Load } from '../shared/load.ts'
import { judge } from './judgement.ts'
import { createReport } from './report.ts'

const page: Load = { route: '/a', kind: 'push', outcome: 'page', ms: 100, attempts: 1 }

/** Creates a report from each route's number of loads that arrived and number of loads that didn't. */
function reportOf(routes: Readonly<Record<string, readonly [arrived: number, never: number]>>) {
  const counter = createLoadCounter(Object.keys(routes), 'b')
  for (const [route, [arrived, never]] of Object.entries(routes)) {
    const loads = [
      ...Array<Load>(arrived).fill({ ...page, route }),
      ...Array<Load>(never).fill({ ...page, route, outcome: 'never' }),
    ]
    counter.add({ build: 'b', loads, vitals: [] })
  }
  return createReport([{ ...counter.take(), fromMs: 1, toMs: 2 }])
}

const bar = { failUnder: 99, minLoads: 100 }

test('passed', () => {
  expect(judge(reportOf({ '/a': [200, 1] }), bar)).toEqual({ verdict: 'passed' })
  expect(judge(reportOf({ '/a': [99, 1] }), bar)).toEqual({ verdict: 'passed' })
})

test('short: lists the routes below the threshold, worst first', () => {
  const judged = judge(reportOf({ '/a': [900, 0], '/b': [98, 2], '/c': [90, 10] }), bar)
  expect(judged).toMatchObject({ verdict: 'short', routes: [{ route: '/c' }, { route: '/b' }] })
})

test('a route with few loads is not judged alone', () => {
  expect(judge(reportOf({ '/a': [9000, 0], '/b': [1, 1] }), bar)).toEqual({ verdict: 'passed' })
})

test('short: many routes with few loads can be below the threshold together', () => {
  const judged = judge(reportOf({ '/a': [50, 10], '/b': [50, 10] }), bar)
  expect(judged).toEqual({ verdict: 'short', routes: [] })
})

test.each([{}, { '/a': [99, 0] as const }])('too few loads give no verdict: %j', (routes) => {
  expect(judge(reportOf(routes), bar)).toEqual({ verdict: 'too few loads' })
})

test('no loads give no verdict, whatever the threshold is', () => {
  const bar = { failUnder: 99, minLoads: 0 }
  expect(judge(reportOf({}), bar)).toEqual({ verdict: 'too few loads' })
})
