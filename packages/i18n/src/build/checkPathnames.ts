import type { CheckedBuild } from 'waymark/plugin'
import type { I18nConfig } from '../shared/config.ts'
import { isLocalPattern, withoutLocale } from '../shared/localPattern.ts'
import { parsePattern } from '../shared/pathPattern.ts'

/** A problem with an entry of the option `pathnames`. */
export type PathnameProblem = {
  /** The entry: a path below `app/[locale]`. */
  readonly entry: string
  readonly text: string
}

/** Finds entries of `pathnames` without a page, and pages that have the same URL. */
export function checkPathnames(
  { locales, pathnames }: I18nConfig,
  { routes, patternOf }: Pick<CheckedBuild, 'routes' | 'patternOf'>,
): PathnameProblem[] {
  const entries = Object.keys(pathnames)
  const isPage = (page: string) =>
    isLocalPattern(patternOf(`/${locales[0]}${examplePath(page)}`) ?? '')
  const unused = entries
    .filter((entry) => !isPage(entry))
    .map((entry) => ({ entry, text: `pathnames has ${entry}, but the app has no such page.` }))
  const pages = routes
    .map(({ pattern }) => pattern)
    .filter(isLocalPattern)
    .map(withoutLocale)
  const all = new Set([...entries.filter(isPage), ...pages])
  const equal = locales.flatMap((locale) => {
    const pageOf = new Map<string, string>()
    return [...all].flatMap((page) => {
      const url = pathnames[page]?.[locale] ?? page
      const form = withoutNames(url)
      const other = pageOf.get(form)
      pageOf.set(form, other ?? page)
      // Two pages of the same form without a translation are one page with two names.
      if (other === undefined || withoutNames(other) === withoutNames(page)) return []
      const entry = pathnames[page]?.[locale] === undefined ? other : page
      return [
        { entry, text: `In ${locale}, the pages ${other} and ${page} both have the URL ${url}.` },
      ]
    })
  })
  return [...unused, ...equal]
}

const param = /\[+(?:\.\.\.)?([^\]]+)\]+/g

/** Fills in each param. */
function examplePath(page: string): string {
  const names = [...page.matchAll(param)].map(([, name = '']) => [name, 'x'])
  const path = parsePattern(page).fill(Object.fromEntries(names))
  return path === '/' ? '' : path
}

/** Removes the names of params, which don't decide which URLs a pattern matches. */
function withoutNames(pattern: string): string {
  return pattern.replace(/(\[+(?:\.\.\.)?)[^\]]+/g, '$1')
}
