const writtenToTheLeft = /^(?:Adlm|Arab|Hebr|Mand|Nkoo|Rohg|Samr|Syrc|Thaa)$/

/**
 * Returns the direction in which a language is written.
 * @param locale a BCP 47 tag
 */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  const { script = '' } = new Intl.Locale(locale).maximize()
  return writtenToTheLeft.test(script) ? 'rtl' : 'ltr'
}

/** Returns a language's own name for itself, such as `Deutsch`. */
export function nameOf(locale: string): string {
  return new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale
}
