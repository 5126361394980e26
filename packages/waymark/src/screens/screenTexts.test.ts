import { describe, expect, it } from 'vitest'
import { createLocale, english, sizeText } from './screenTexts.ts'

describe('createLocale', () => {
  it.each([
    ['en', 'ltr'],
    ['arn', 'ltr'],
    ['ar', 'rtl'],
    ['ar-EG', 'rtl'],
    ['he', 'rtl'],
    ['fa-AF', 'rtl'],
  ])('%s is written %s', (lang, dir) => {
    expect(createLocale(lang, {}).dir).toBe(dir)
  })

  it('keeps the English text where no replacement is passed', () => {
    const { texts } = createLocale('de', { notices: { retry: 'Noch einmal' } })
    expect(texts.notices).toMatchObject({ retry: 'Noch einmal', cancel: 'Cancel' })
    expect(texts.home).toBe('Home')
  })
})

// A text that rounds up would promise more than the server accepts.
describe('sizeText', () => {
  it.each([
    [999, '999 bytes'],
    [1_099, '1 kB'],
    [999_999, '999.9 kB'],
    [1_000_000, '1 MB'],
    [1_299_999, '1.2 MB'],
    [32_000_000, '32 MB'],
  ])('rounds %i bytes down to %s', (bytes, text) => {
    expect(sizeText(bytes, english)).toBe(text)
  })

  it('uses the words and the decimal separator of the language', () => {
    const german = createLocale('de', { sizes: { bytes: '{size} Byte' } })
    expect(sizeText(999, german)).toBe('999 Byte')
    expect(sizeText(1_299_999, german)).toBe('1,2 MB')
  })
})
