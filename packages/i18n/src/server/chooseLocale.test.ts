import { expect, test } from 'vitest'
import { chooseLocale } from './chooseLocale.ts'

const locales = ['en', 'de', 'pt-BR', 'zh-Hant', 'zh-Hans', 'sr-Latn']

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
])('%s fits %s', (header, locale) => {
  expect(chooseLocale(header, locales)).toBe(locale)
})

test('a long header costs little', () => {
  const header = Array.from({ length: 100_000 }, (_, index) => `a${index};q=0.${index}`).join()
  const before = performance.now()
  chooseLocale(header, locales)
  expect(performance.now() - before).toBeLessThan(500)
})
