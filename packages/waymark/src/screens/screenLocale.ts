import { parseWeighted } from '../shared/accept.ts'
import { type ScreenTextOverrides, type ScreenTexts, screenTexts } from './screenTexts.ts'

export type ScreenLocale = {
  /** BCP 47: `de`, `pt-BR`. */
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly texts: ScreenTexts
}

export const english: ScreenLocale = { lang: 'en', dir: 'ltr', texts: screenTexts() }

const writtenToTheLeft = /^(?:ar|arc|ckb|dv|fa|he|ks|ku-arab|nqo|ps|sd|syr|ug|ur|yi)\b/i

/** Texts missing in `overrides` stay English. */
export function createLocale(lang: string, overrides: ScreenTextOverrides): ScreenLocale {
  return { lang, dir: writtenToTheLeft.test(lang) ? 'rtl' : 'ltr', texts: screenTexts(overrides) }
}

/**
 * Selects a language by the client's preference: the same or a more general one.
 * @param languages BCP 47
 * @returns one of `languages`; `null` when none is acceptable
 * @see RFC 4647 §3.4, lookup
 */
export function chooseLanguage(
  acceptLanguage: string | null,
  languages: readonly string[],
): string | null {
  const ranges = parseWeighted((acceptLanguage ?? '').slice(0, 500))
  for (const { name } of ranges.filter(({ q }) => q > 0).sort((a, b) => b.q - a.q)) {
    let range = name
    while (range !== '') {
      const found = languages.find((language) => language.toLowerCase() === range)
      if (found !== undefined) return found
      range = range.slice(0, Math.max(0, range.lastIndexOf('-')))
    }
  }
  return null
}
