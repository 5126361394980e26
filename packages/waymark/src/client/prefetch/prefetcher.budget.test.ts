import { expect, test } from 'vitest'
import { createBudget } from './prefetcher.ts'

const limits = { perPage: 2, perMinute: 3, atOnce: 1 }

test('limits the number of simultaneous requests', () => {
  const budget = createBudget(limits)
  const isAcquired = [0, 1, 0].map((running) => budget.acquire(0, running, false))
  expect(isAcquired).toEqual([true, false, true])
})

test('limits requests per page, except with intent, and always limits them per minute', () => {
  const budget = createBudget(limits)
  const acquire = (nowMs: number, hasIntent: boolean) => budget.acquire(nowMs, 0, hasIntent)
  expect([acquire(0, false), acquire(1, false), acquire(2, false)]).toEqual([true, true, false])
  expect([acquire(3, true), acquire(4, true)]).toEqual([true, false])
  budget.resetPage()
  expect([acquire(5, false), acquire(60_000, false)]).toEqual([false, true])
})
