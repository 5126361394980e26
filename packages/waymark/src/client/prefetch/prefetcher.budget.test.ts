import { expect, test } from 'vitest'
import { createBudget } from './prefetcher.ts'

const limits = { perPage: 2, perMinute: 3, atOnce: 1 }

test('one at a time; what has ended makes room', () => {
  const budget = createBudget(limits)
  expect([budget.acquire(0, false), budget.acquire(0, false)]).toEqual([true, false])
  budget.release()
  expect(budget.acquire(0, false)).toBe(true)
})

test('so many per page, more when they are meant; so many per minute, always', () => {
  const budget = createBudget(limits)
  const takes = (nowMs: number, hasIntent: boolean) => {
    const may = budget.acquire(nowMs, hasIntent)
    if (may) budget.release()
    return may
  }
  expect([takes(0, false), takes(1, false), takes(2, false)]).toEqual([true, true, false])
  expect([takes(3, true), takes(4, true)]).toEqual([true, false])
  budget.resetPage()
  expect([takes(5, false), takes(60_000, false)]).toEqual([false, true])
})
