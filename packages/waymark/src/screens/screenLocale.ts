import { type ScreenTextOverrides, type ScreenTexts, screenTexts } from './screenTexts.ts'

/** A language that screens are written in. */
export type ScreenLocale = {
  /** BCP 47, as `de` or `pt-BR`. */
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly texts: ScreenTexts
}

/** The language of the built-in texts. */
export const english: ScreenLocale = { lang: 'en', dir: 'ltr', texts: screenTexts() }

const writtenToTheLeft = /^(?:ar|arc|ckb|dv|fa|he|ks|ku-arab|nqo|ps|sd|syr|ug|ur|yi)\b/i

/**
 * Makes the locale of a language.
 * @param overrides what is not in them stays English
 */
export function createLocale(lang: string, overrides: ScreenTextOverrides): ScreenLocale {
  return { lang, dir: writtenToTheLeft.test(lang) ? 'rtl' : 'ltr', texts: screenTexts(overrides) }
}

/**
 * Chooses among languages as a client prefers them: for each, the best first, the same or a more
 * general one.
 * @param acceptLanguage the request's header
 * @param languages BCP 47
 * @returns one of `languages`; `null` when none is acceptable
 * @see RFC 4647 §3.4, lookup
 */
export function chooseLanguage(
  acceptLanguage: string | null,
  languages: readonly string[],
): string | null {
  const ranges = (acceptLanguage ?? '').slice(0, 500).split(',').map(parseRange)
  for (const { tag } of ranges.filter(({ q }) => q > 0).sort((a, b) => b.q - a.q)) {
    for (
      let range = tag;
      range !== '';
      range = range.slice(0, Math.max(0, range.lastIndexOf('-')))
    ) {
      const found = languages.find((language) => language.toLowerCase() === range)
      if (found !== undefined) return found
    }
  }
  return null
}

function parseRange(text: string): { readonly tag: string; readonly q: number } {
  const [tag = '', quality = ''] = text.split(';').map((part) => part.trim().toLowerCase())
  const q = quality.startsWith('q=') ? Number(quality.slice(2)) : 1
  return { tag, q: q >= 0 && q <= 1 ? q : 0 }
}
