import { parseWeighted } from '../http/accept.ts'

const writtenToTheLeft = /^(?:ar|arc|ckb|dv|fa|he|ks|ku-arab|nqo|ps|sd|syr|ug|ur|yi)\b/i

/**
 * Returns the direction in which a language is written.
 * @param lang a BCP 47 tag, such as `de` or `pt-BR`
 */
export function directionOf(lang: string): 'ltr' | 'rtl' {
  return writtenToTheLeft.test(lang) ? 'rtl' : 'ltr'
}

/**
 * Returns the language that best fits an `Accept-Language` header, or `null` if none does.
 * @param languages BCP 47 tags
 * @see RFC 4647 §3.4
 */
export function chooseLanguage(
  acceptLanguage: string | null,
  languages: readonly string[],
): string | null {
  const ranges = parseWeighted((acceptLanguage ?? '').slice(0, 500))
  for (const { name } of ranges.filter(({ q }) => q > 0).sort((a, b) => b.q - a.q)) {
    const match = matchLanguage(name, languages)
    if (match !== null) return match
  }
  return null
}

/** Finds a language or the closest more general one, such as `de` for `de-AT`. @see RFC 4647 §3.4 */
export function matchLanguage(lang: string, languages: readonly string[]): string | null {
  let range = lang.toLowerCase()
  while (range !== '') {
    const match = languages.find((language) => language.toLowerCase() === range)
    if (match !== undefined) return match
    range = range.slice(0, Math.max(0, range.lastIndexOf('-')))
  }
  return null
}
