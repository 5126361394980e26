const writtenToTheLeft = /^(?:Adlm|Arab|Hebr|Mand|Nkoo|Rohg|Samr|Syrc|Thaa)$/

const directions = new Map<string, 'ltr' | 'rtl'>()
const names = new Map<string, string>()

/**
 * Returns the direction in which a language is written.
 * @param locale a BCP 47 tag
 */
export const directionOf = (locale: string): 'ltr' | 'rtl' =>
  remembered(directions, locale, () => {
    const { script = '' } = new Intl.Locale(locale).maximize()
    return writtenToTheLeft.test(script) ? 'rtl' : 'ltr'
  })

/** Returns a language's own name for itself, such as `Deutsch`. */
export const nameOf = (locale: string): string =>
  remembered(
    names,
    locale,
    () => new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale,
  )

/** Maximum results that are kept, because a visitor may have sent the locale. */
const maxRemembered = 200

/** Computes a result once. `Intl` takes about 50 µs for each. */
function remembered<Result>(
  results: Map<string, Result>,
  locale: string,
  compute: () => Result,
): Result {
  const known = results.get(locale)
  if (known !== undefined) return known
  const result = compute()
  if (results.size < maxRemembered) results.set(locale, result)
  return result
}
