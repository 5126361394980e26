import { defaultLocaleOf, type I18nConfig } from './config.ts'
import { parsePattern, specificityOf } from './pathPattern.ts'

/**
 * Converts paths between three forms. The *route's path* is what folders match: `/de/about`. The
 * *page's path* is the same below the language: `/about`. The *URL's path* is what visitors see:
 * `/de/ueber-uns`.
 */
export type LocalizedPaths = ReturnType<typeof createLocalizedPaths>

/** A path below a language. */
export type LocalPath = { readonly locale: string; readonly path: string }

export function createLocalizedPaths(config: I18nConfig) {
  const { locales, prefix, pathnames } = config
  const defaultLocale = defaultLocaleOf(config)
  const byLocale = new Map(
    locales.map((locale) => {
      const written = Object.entries(pathnames).flatMap(([page, urls]) => {
        const url = urls[locale]
        return url === undefined ? [] : [{ page, url }]
      })
      return [locale, { toUrl: translator(written), toPage: translator(written.map(swapped)) }]
    }),
  )

  /** Splits a path that begins with a language. @returns `null` for any other path */
  function split(pathname: string): LocalPath | null {
    const [, first = '', path = ''] = /^\/([^/]*)(.*)$/.exec(pathname) ?? []
    const locale = locales.find((each) => each.toLowerCase() === first.toLowerCase())
    return locale === undefined ? null : { locale, path: path || '/' }
  }

  /** Joins a language and a path. */
  const join = (locale: string, path: string) => `/${locale}${path === '/' ? '' : path}`

  return {
    split,
    join,
    /** Returns the path of the page in a language, for the rest of a URL's path. */
    toPage: (locale: string, path: string) => byLocale.get(locale)?.toPage(path) ?? path,
    /** Returns the path of the URL of a page. */
    toUrl(locale: string, path: string): string {
      const url = byLocale.get(locale)?.toUrl(path) ?? path
      // Without a prefix, a page named like a language would be that language's first page.
      const isBare = prefix === 'as-needed' && locale === defaultLocale && split(url) === null
      return isBare ? url : join(locale, url)
    },
  }
}

type Translated = { readonly page: string; readonly url: string }

const swapped = ({ page, url }: Translated): Translated => ({ page: url, url: page })

/** Creates a function that replaces a path that matches `page` by `url`. */
function translator(pairs: readonly Translated[]): (path: string) => string | null {
  const compiled = pairs
    .toSorted((a, b) => specificityOf(b.page) - specificityOf(a.page))
    .map(({ page, url }) => ({ from: parsePattern(page), to: parsePattern(url) }))
  return (path) => {
    for (const { from, to } of compiled) {
      const values = from.match(path)
      if (values) return to.fill(values)
    }
    return null
  }
}
