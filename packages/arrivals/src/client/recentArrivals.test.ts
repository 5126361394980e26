import { expect, test } from 'vitest'
import type { Load } from '../shared/load.ts'
import { recentArrivals } from './recentArrivals.ts'

const page: Load = { route: '/a', kind: 'push', outcome: 'page', ms: 100, attempts: 1 }

test('listeners are notified of each load, and the bounded list has the newest first', () => {
  let calls = 0
  const before = recentArrivals.list()
  const unsubscribe = recentArrivals.subscribe(() => calls++)
  for (let ms = 1; ms <= 60; ms++) recentArrivals.add({ ...page, ms })
  unsubscribe()
  recentArrivals.add({ ...page, ms: 61 })
  expect([calls, before, recentArrivals.list().length]).toEqual([60, [], 50])
  expect(recentArrivals.list()[0]).toMatchObject({ ...page, ms: 61 })
})
