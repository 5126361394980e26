import { notFound } from 'waymark'

/** Languages of the shop. The first language is the default. */
export const languages = ['en', 'de'] as const

/** A language of the shop, which is the first segment of each URL. */
export type Language = (typeof languages)[number]

export function isLanguage(text: string): text is Language {
  return languages.some((language) => language === text)
}

/**
 * Reads the language of a page from its params.
 * @throws the signal of `notFound()` if the param isn't a language
 */
export async function readLanguage(params: Promise<{ lang: string }>): Promise<Language> {
  const { lang } = await params
  return isLanguage(lang) ? lang : notFound()
}

/**
 * Returns the language that a visitor prefers.
 * @param acceptLanguage the header, such as `de-AT,de;q=0.9,en;q=0.5`
 */
export function preferredLanguage(acceptLanguage: string): Language {
  const wanted = acceptLanguage
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [tag = '', quality] = entry.trim().split(';q=')
      return { language: tag.slice(0, 2).toLowerCase(), quality: Number(quality ?? 1) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  return wanted.map(({ language }) => language).find(isLanguage) ?? languages[0]
}
