import { describe, expect, it } from 'vitest'
import { chooseLanguage } from './language.ts'

describe('chooseLanguage', () => {
  it.each([
    [null, null],
    ['', null],
    ['*', null],
    ['de', 'de'],
    ['DE', 'de'],
    ['de-AT', 'de'],
    ['pt-BR', 'pt-BR'],
    ['pt', null],
    ['zh-Hant-TW', 'zh-Hant'],
    ['fr, de;q=0.5', 'de'],
    ['de;q=0.5, en;q=0.8', 'en'],
    ['de;q=0, en', 'en'],
    ['de;q=nonsense', null],
    ['constructor', null],
    [`${'x,'.repeat(100_000)}de`, null],
  ])('%j: %s', (header, expected) => {
    expect(chooseLanguage(header, ['en', 'de', 'pt-BR', 'zh-Hant'])).toBe(expected)
  })
})
