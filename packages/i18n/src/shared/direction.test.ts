import { expect, test } from 'vitest'
import { directionOf, nameOf } from './direction.ts'

test.each([
  ['en', 'ltr', 'English'],
  ['de', 'ltr', 'Deutsch'],
  ['ar', 'rtl', 'العربية'],
  ['pa-Arab', 'rtl', 'پنجابی (عربی)'],
  ['pt-BR', 'ltr', 'português (Brasil)'],
])('%s is written %s and named %s', (locale, direction, name) => {
  for (let n = 0; n < 2; n++)
    expect([directionOf(locale), nameOf(locale)]).toEqual([direction, name])
})

test('a language costs little the second time, and an invalid one throws each time', () => {
  directionOf('he')
  nameOf('he')
  const before = process.cpuUsage()
  for (let n = 0; n < 10_000; n++) {
    directionOf('he')
    nameOf('he')
  }
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 10_000).toBeLessThan(10)
  for (let n = 0; n < 2; n++) expect(() => directionOf('no language')).toThrow(RangeError)
})
