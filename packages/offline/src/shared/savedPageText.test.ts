import { expect, test } from 'vitest'
import { timeText } from './savedPageText.ts'

const hour = 3_600_000

test('a time that is older than a day includes the date', () => {
  const atMs = new Date(2026, 10, 27, 14, 32).getTime()
  expect(timeText(atMs, atMs + hour, 'en-GB')).toBe('14:32')
  expect(timeText(atMs, atMs + 25 * hour, 'en-GB')).toBe('27 Nov 2026, 14:32')
})
