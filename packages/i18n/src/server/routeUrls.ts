import type { RouteUrls } from 'waymark/plugin'
import { isCrawler } from 'waymark/plugin/server'
import { defaultLocaleOf, type I18nConfig } from '../shared/config.ts'
import { localeCookie } from '../shared/localeCookie.ts'
import { createLocalizedPaths } from '../shared/localizedPaths.ts'
import { isLocalPattern } from '../shared/localPattern.ts'
import { createLocaleChooser, type LocaleChooser } from './chooseLocale.ts'

/**
 * Creates the mapping between URLs and the folders below `app/[locale]`.
 * @param patternOf returns the pattern of the route that a path matches
 */
export function createRouteUrls(
  config: I18nConfig,
  patternOf: (routePathname: string) => string | null,
): RouteUrls {
  const { locales, prefix } = config
  const defaultLocale = defaultLocaleOf(config)
  const paths = createLocalizedPaths(config)
  const chooser = createLocaleChooser(locales)

  /** True for a path outside of `app/[locale]`, such as `/robots.txt`. */
  function isOutside(pathname: string): boolean {
    const pattern = patternOf(pathname)
    return pattern !== null && !isLocalPattern(pattern)
  }

  function toRoute(pathname: string): string {
    const local = paths.split(pathname)
    if (local) return paths.join(local.locale, paths.toPage(local.locale, local.path))
    if (isOutside(pathname)) return pathname
    return paths.join(defaultLocale, paths.toPage(defaultLocale, pathname))
  }

  return {
    toRoute,
    toUrl(routePathname) {
      const local = paths.split(routePathname)
      return local ? paths.toUrl(local.locale, local.path) : routePathname
    },
    languageOf: (pathname) => paths.split(toRoute(pathname))?.locale ?? null,
    choose(pathname, headers) {
      if (prefix !== 'always' || paths.split(pathname) || isOutside(pathname)) return null
      const locale = isCrawler(headers) ? null : visitorLocale(headers, chooser)
      const page = paths.toPage(defaultLocale, pathname)
      return paths.toUrl(locale ?? defaultLocale, page)
    },
  }
}

const chosenLocale = new RegExp(`(?:^|;\\s*)${localeCookie}=([\\w-]{2,35})(?:;|$)`)

/** Returns the language that a visitor chose, or else the one that the browser prefers. */
function visitorLocale(
  headers: { get(name: string): string | null },
  { match, choose }: LocaleChooser,
): string | null {
  const cookie = headers.get('cookie')?.slice(0, 8_192) ?? ''
  const chosen = chosenLocale.exec(cookie)?.[1]
  const known = chosen === undefined ? null : match(chosen)
  return known ?? choose(headers.get('accept-language'))
}
