import { expect, test } from 'vitest'
import { formatDuration, parseDuration } from './commandOptions.ts'

test.each([
  ['30s', 30_000],
  ['15m', 900_000],
  ['1h', 3_600_000],
  ['1.5h', 5_400_000],
  ['7 d', 604_800_000],
  ['', null],
  ['1', null],
  ['h', null],
  ['-1h', null],
  ['1w', null],
])('%j is %s ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each([
  [-5, '0 s'],
  [0, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [7_200_000, '2 h'],
  [864_000_000, '10 d'],
])('%s ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})
