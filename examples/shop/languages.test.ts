import { describe, expect, test } from 'vitest'
import { preferredLanguage } from './languages.ts'

describe('the preferred language', () => {
  test.each([
    ['', 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.5', 'de'],
    ['fr-FR, en;q=0.4, de;q=0.8', 'de'],
    ['de;q=0, en', 'en'],
    ['fr', 'en'],
    [';;q=,,q=x', 'en'],
  ])('of %j is %s', (header, language) => expect(preferredLanguage(header)).toBe(language))
})
