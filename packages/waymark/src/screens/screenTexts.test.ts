import { describe, expect, it } from 'vitest'
import { createLocale } from './screenTexts.ts'

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
