import { expect, test } from 'vitest'
import { withoutQueryValues } from './errorReport.ts'

test.each([
  ['/', '/'],
  ['/a', '/a'],
  ['/a?b=1', '/a?b='],
  ['/a?b=1&c=2&d', '/a?b=&c=&d'],
  ['/a?b=c=d', '/a?b='],
  ['/a?', '/a?'],
  ['/a?b=?c=1', '/a?b='],
  ['/a?b=1#token=2', '/a?b='],
  ['/a#?b=1', '/a'],
  ['https://site.test/a?b=1', 'https://site.test/a?b='],
])('%s becomes %s', (target, expected) => {
  expect(withoutQueryValues(target)).toBe(expected)
})
