import { describe, expect, test } from 'vitest'
import { isWithinDecodeLimits } from './actionBody.ts'

describe('is within the limits', () => {
  test.each([
    '[]',
    '["$D2026-11-21T00:00:00.000Z",{"a":[1,2,[3]]}]',
    // Test a user's text that looks like encoded values.
    JSON.stringify([
      '['.repeat(10_000),
      ','.repeat(200_000),
      '9'.repeat(10_000),
      '\\"[[['.repeat(50),
    ]),
    '',
    'not JSON at all',
  ])('%#', (json) => {
    expect(isWithinDecodeLimits(json)).toBe(true)
  })
})

describe('exceeds the limits', () => {
  test.each<[string, string, number]>([
    ['by its depth', '['.repeat(101), 1],
    ['by the depth of objects', '{"a":'.repeat(101), 1],
    ['by its depth after a text with quotes', `["\\\\\\"",${'['.repeat(101)}`, 1],
    ['by its items', `[${'1,'.repeat(100_001)}1]`, 1],
    ['by its digits', `[${'9'.repeat(401)}]`, 1],
    ['by references for which React searches all parts', `[${'"$K1",'.repeat(1_000)}0]`, 200],
  ])('%s', (_, json, parts) => {
    expect(isWithinDecodeLimits(json, parts)).toBe(false)
  })

  test('and the check takes time in proportion to the length', () => {
    const startedAtMs = performance.now()
    isWithinDecodeLimits(`["${'\\'.repeat(1_000_000)}`)
    expect(performance.now() - startedAtMs).toBeLessThan(1_000)
  })
})
