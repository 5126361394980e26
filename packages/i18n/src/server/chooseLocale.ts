/** Maximum characters of an `Accept-Language` header that are read. */
const maxHeader = 500

/**
 * Returns the language that best fits an `Accept-Language` header, or `null` if none does. `de` fits
 * `de-AT`, and `zh-Hant` fits `zh-TW`, because both are written in the same script.
 * @see RFC 9110 §12.5.4
 */
export function chooseLocale(header: string | null, locales: readonly string[]): string | null {
  const wanted = (header ?? '')
    .slice(0, maxHeader)
    .split(',')
    .map((each) => {
      const [tag = '', ...params] = each.trim().split(/\s*;\s*/)
      const quality = params.find((param) => param.startsWith('q='))?.slice(2)
      return { tag, quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { tag } of wanted) {
    const locale = matchLocale(tag, locales)
    if (locale !== null) return locale
  }
  return null
}

/** Finds a language by its tag, or else one with the same language and script. */
export function matchLocale(tag: string, locales: readonly string[]): string | null {
  const wanted = parseLocale(tag)
  if (wanted === null) return null
  const exact = locales.find((locale) => parseLocale(locale)?.baseName === wanted.baseName)
  if (exact !== undefined) return exact
  const { language, script } = wanted.maximize()
  return (
    locales.find((locale) => {
      const other = parseLocale(locale)?.maximize()
      return other?.language === language && other.script === script
    }) ?? null
  )
}

function parseLocale(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag)
  } catch {
    // Anything can be in a header, also `*`.
    return null
  }
}
