import { expect, test } from 'vitest'
import { createLocaleChooser } from './chooseLocale.ts'

const { choose, match } = createLocaleChooser([
  'en',
  'de',
  'pt-BR',
  'zh-Hant',
  'zh-Hans',
  'sr-Latn',
])

test.each([
  ['de', 'de'],
  ['de-AT,de;q=0.9', 'de'],
  ['fr,de;q=0.2,en;q=0.8', 'en'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['zh-TW', 'zh-Hant'],
  ['zh', 'zh-Hans'],
  ['zh-HK', 'zh-Hant'],
  // Cyrillic isn't Latin.
  ['sr', null],
  ['sr-Latn-RS', 'sr-Latn'],
  ['DE-de', 'de'],
  ['de;q=0', null],
  ['de;q=x', null],
  ['*', null],
  ['', null],
  [null, null],
  ['x'.repeat(10_000), null],
  [',;q=1,;;,de;level=1;q=0.5', 'de'],
  ['de;Q=0.1,en;q=0.5', 'en'],
  ['__proto__,constructor,de', 'de'],
  ['en-u-ca-buddhist', 'en'],
])('%s fits %s', (header, locale) => {
  expect(choose(header)).toBe(locale)
})

test.each(['de', 'DE-at', '__proto__', 'constructor', 'x', ''])(
  'the tag %j has a language',
  (tag) => {
    expect(match(tag)).toBe(/^de/i.test(tag) ? 'de' : null)
  },
)

test('a long header costs little, also with many languages', () => {
  const many = createLocaleChooser(
    'en de ar fr es it pt-BR zh-Hans zh-Hant ja ko nl sv da fi nb pl cs ru uk'.split(' '),
  )
  const headers = [
    Array.from({ length: 100_000 }, (_, index) => `a${index};q=0.${index}`).join(),
    'xx,'.repeat(100_000),
  ]
  const before = process.cpuUsage()
  for (const header of headers) for (let n = 0; n < 50; n++) many.choose(header)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 100).toBeLessThan(2_000)
})
