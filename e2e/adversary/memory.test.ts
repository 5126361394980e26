import { expect, test } from 'vitest'
import { steadyGrowthMb } from './memory.ts'

test('a server that has only filled its caches has not grown', () => {
  const warm = Array.from({ length: 40 }, (_, at) => (at < 5 ? 100 + at * 10 : 150 + (at % 3)))
  expect(Math.abs(steadyGrowthMb(warm))).toBeLessThan(2)
})

test('a server that leaks has grown', () => {
  expect(steadyGrowthMb(Array.from({ length: 40 }, (_, at) => 100 + at * 5))).toBeGreaterThan(60)
})

test('a few samples say nothing', () => {
  expect(steadyGrowthMb([100, 900])).toBe(0)
})
