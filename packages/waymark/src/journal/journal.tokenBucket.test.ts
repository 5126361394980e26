import { expect, test } from 'vitest'
import { createTokenBucket, createTokenBuckets } from './journal.ts'

const rate = { burst: 3, perSecond: 2 }

function countTokens(take: (nowMs: number) => boolean, nowMs: number, tries = 10) {
  return Array.from({ length: tries }, () => take(nowMs)).filter(Boolean).length
}

test('a bucket allows its burst, then its rate', () => {
  const { take } = createTokenBucket(rate)
  expect(countTokens(take, 1_000)).toBe(3)
  expect(countTokens(take, 1_000)).toBe(0)
  expect(countTokens(take, 2_000)).toBe(2)
  expect(countTokens(take, 60_000)).toBe(3)
})

test('a clock that is set back adds no tokens, and the rate continues from there', () => {
  const { take } = createTokenBucket(rate)
  countTokens(take, 60_000)
  expect(countTokens(take, 1_000)).toBe(0)
  expect(countTokens(take, 2_000)).toBe(2)
})

test('keys have separate buckets', () => {
  const { take } = createTokenBuckets(rate, 2)
  expect(countTokens((now) => take('a', now), 0)).toBe(3)
  expect(countTokens((now) => take('b', now), 0)).toBe(3)
  expect(countTokens((now) => take('a', now), 0)).toBe(0)
})

test('the oldest of too many keys is dropped', () => {
  const { take } = createTokenBuckets(rate, 2)
  for (const key of ['a', 'b', 'c']) countTokens((now) => take(key, now), 0)
  expect(countTokens((now) => take('b', now), 0)).toBe(0)
  expect(countTokens((now) => take('a', now), 0)).toBe(3)
})
