/** The folder below which the pages of all languages are, as a part of their patterns. */
export const localeFolder = '/[locale]'

/** True for the pattern of a page that has a language. */
export function isLocalPattern(pattern: string): boolean {
  return pattern === localeFolder || pattern.startsWith(`${localeFolder}/`)
}

/** Returns a page's pattern without the language, such as `/posts/[slug]`. */
export function withoutLocale(pattern: string): string {
  return pattern.slice(localeFolder.length) || '/'
}
