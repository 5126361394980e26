import type { I18nConfig, I18nOptions } from '../shared/config.ts'

export type ReadOptions = {
  readonly config: I18nConfig
  readonly folder: string
  readonly checks: 'warn' | 'error' | 'off'
}

/**
 * Checks the options and adds the defaults.
 * @throws Error that names the wrong option
 */
export function readOptions(options: I18nOptions): ReadOptions {
  const { locales, prefix = 'always', messages = 'messages' } = options
  const { pathnames = {}, timeZone = 'UTC', checks = 'warn' } = options
  if (!Array.isArray(locales) || locales.length === 0) {
    throw wrong('locales', "it must list at least one language, such as ['en', 'de']")
  }
  for (const locale of locales) {
    if (canonical(locale) !== locale) {
      throw wrong('locales', `${JSON.stringify(locale)} isn't a BCP 47 tag such as en or pt-BR`)
    }
  }
  if (prefix !== 'always' && prefix !== 'as-needed') {
    throw wrong('prefix', "it must be 'always' or 'as-needed'")
  }
  if (!['warn', 'error', 'off'].includes(checks)) {
    throw wrong('checks', "it must be 'warn', 'error' or 'off'")
  }
  for (const [page, urls] of Object.entries(pathnames)) checkPathname(page, urls, locales)
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw wrong('timeZone', `${JSON.stringify(timeZone)} isn't the name of a time zone`)
  }
  return { config: { locales, prefix, pathnames, timeZone }, folder: messages, checks }
}

function checkPathname(
  page: string,
  urls: Readonly<Record<string, string>>,
  locales: readonly string[],
): void {
  const params = paramsOf(page)
  for (const [locale, url] of Object.entries({ ...urls, [page]: page })) {
    const name = `pathnames[${JSON.stringify(page)}]`
    if (!url.startsWith('/') || (url !== '/' && url.endsWith('/'))) {
      throw wrong(name, `${JSON.stringify(url)} must begin with a slash and not end with one`)
    }
    if (locale !== page && !locales.includes(locale)) {
      throw wrong(name, `${locale} isn't one of the languages`)
    }
    if (paramsOf(url) !== params) {
      throw wrong(name, `${JSON.stringify(url)} must have the same params as the page`)
    }
  }
}

function paramsOf(path: string): string {
  return [...path.matchAll(/\[+(?:\.\.\.)?[^\]]+\]+/g)].map(String).sort().join()
}

function canonical(locale: unknown): string | null {
  try {
    return new Intl.Locale(String(locale)).toString()
  } catch {
    return null
  }
}

function wrong(option: string, reason: string): Error {
  return new Error(`The option ${option} of i18n() can't be used: ${reason}.`)
}
