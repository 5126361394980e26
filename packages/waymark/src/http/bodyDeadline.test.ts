import { expect, test } from 'vitest'
import { bodyDueMs } from './bodyDeadline.ts'

const withinMs = 30_000

test.each([
  ['an empty body', { progressedAtMs: 0, receivedBytes: 0 }, 30_000],
  ['a byte now and then', { progressedAtMs: 29_000, receivedBytes: 29 }, 30_007],
  ['a slow body that progresses', { progressedAtMs: 300_000, receivedBytes: 1_500_000 }, 330_000],
  ['a body slower than the rate', { progressedAtMs: 300_000, receivedBytes: 400_000 }, 130_000],
  ['a fast body that stalls', { progressedAtMs: 1_000, receivedBytes: 5_000_000 }, 31_000],
])('%s has its own deadline', (_, progress, dueMs) => {
  expect(Math.round(bodyDueMs({ startedAtMs: 0, ...progress }, withinMs))).toBe(dueMs)
})
