/** Maximum characters of an `Accept-Language` header that are read. */
const maxHeader = 500

/** Maximum languages of the header that are tried. Browsers send fewer than ten. */
const maxTags = 20

/** Finds the language of the app that best fits a visitor. */
export type LocaleChooser = {
  /**
   * Returns the language that best fits an `Accept-Language` header, or `null` if none does. `de`
   * fits `de-AT`, and `zh-Hant` fits `zh-TW`, because both are written in the same script.
   * @see RFC 9110 §12.5.4
   */
  choose(header: string | null): string | null
  /** Finds a language by its tag, or else one with the same language and script. */
  match(tag: string): string | null
}

/** Creates a chooser. It parses the app's languages only once, because each takes microseconds. */
export function createLocaleChooser(locales: readonly string[]): LocaleChooser {
  const byName = new Map<string, string>()
  const byScript = new Map<string, string>()
  for (const locale of locales) {
    const parsed = parseLocale(locale)
    if (parsed === null) continue
    byName.set(parsed.baseName, locale)
    const script = scriptOf(parsed)
    if (!byScript.has(script)) byScript.set(script, locale)
  }

  function match(tag: string): string | null {
    const wanted = parseLocale(tag)
    if (wanted === null) return null
    return byName.get(wanted.baseName) ?? byScript.get(scriptOf(wanted)) ?? null
  }

  return {
    match,
    choose(header) {
      const wanted = (header ?? '')
        .slice(0, maxHeader)
        .split(',')
        .map(parseWanted)
        .filter(({ quality }) => quality > 0)
        .sort((a, b) => b.quality - a.quality)
      for (const { tag } of wanted.slice(0, maxTags)) {
        const locale = match(tag)
        if (locale !== null) return locale
      }
      return null
    },
  }
}

function parseWanted(text: string) {
  const [tag = '', ...params] = text.trim().split(/\s*;\s*/)
  const quality = params.find((param) => /^q=/i.test(param))?.slice(2)
  return { tag, quality: quality === undefined ? 1 : Number(quality) }
}

/** Returns the language and the script in which it is written, such as `zh-Hant`. */
function scriptOf(locale: Intl.Locale): string {
  const { language, script } = locale.maximize()
  return `${language}-${script}`
}

function parseLocale(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag)
  } catch {
    // Anything can be in a header, also `*`.
    return null
  }
}
