import { expect, test } from 'vitest'
import { createTokenBucket, createTokenBuckets } from './journal.ts'

const rate = { burst: 3, perSecond: 2 }

function taken(take: (nowMs: number) => boolean, nowMs: number, tries = 10) {
  return Array.from({ length: tries }, () => take(nowMs)).filter(Boolean).length
}

test('a bucket gives its burst, then its rate', () => {
  const { take } = createTokenBucket(rate)
  expect(taken(take, 1_000)).toBe(3)
  expect(taken(take, 1_000)).toBe(0)
  expect(taken(take, 2_000)).toBe(2)
  expect(taken(take, 60_000)).toBe(3)
})

test('a clock that is set back gives nothing, and goes on from there', () => {
  const { take } = createTokenBucket(rate)
  taken(take, 60_000)
  expect(taken(take, 1_000)).toBe(0)
  expect(taken(take, 2_000)).toBe(2)
})

test('buckets of different keys do not share', () => {
  const { take } = createTokenBuckets(rate, 2)
  expect(taken((now) => take('a', now), 0)).toBe(3)
  expect(taken((now) => take('b', now), 0)).toBe(3)
  expect(taken((now) => take('a', now), 0)).toBe(0)
})

test('of too many keys the oldest is forgotten', () => {
  const { take } = createTokenBuckets(rate, 2)
  for (const key of ['a', 'b', 'c']) taken((now) => take(key, now), 0)
  expect(taken((now) => take('b', now), 0)).toBe(0)
  expect(taken((now) => take('a', now), 0)).toBe(3)
})
