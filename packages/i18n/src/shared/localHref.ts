import { href as hrefOf, type ParamsOf, type RouteHref, type RoutePattern } from 'waymark'
import type { LocalizedPaths } from './localizedPaths.ts'
import { localeFolder } from './localPattern.ts'

type PathOf<Pattern extends string> = Pattern extends `${infer Start}[${string}]${infer End}`
  ? `${Start}${string}${PathOf<End extends `]${infer Rest}` ? Rest : End>}`
  : Pattern

type KnownPattern = {
  [Pattern in RoutePattern]: Pattern extends '/[locale]'
    ? '/'
    : Pattern extends `/[locale]/${infer Rest}`
      ? `/${Rest}`
      : never
}[RoutePattern]

/**
 * Patterns of the pages below `app/[locale]`, without the language, such as `/posts/[slug]`. Any
 * string if no page is known there.
 */
export type LocalPattern = [KnownPattern] extends [never] ? string : KnownPattern

type LocalParams<Pattern extends string> = Omit<
  ParamsOf<Pattern extends '/' ? '/[locale]' : `/[locale]${Pattern}`>,
  'locale'
>

type PartsOf<Pattern extends string> = {
  readonly pathname: Pattern
  readonly query?: RouteHref['query']
  readonly hash?: string | undefined
} & (Partial<LocalParams<Pattern>> extends LocalParams<Pattern>
  ? { readonly params?: LocalParams<Pattern> | undefined }
  : { readonly params: LocalParams<Pattern> })

type LocalPathname = { [Pattern in LocalPattern]: PathOf<Pattern> }[LocalPattern]

type OutsideHref = `#${string}` | `?${string}` | `${'http' | 'https' | 'mailto' | 'tel'}:${string}`

/** A URL of a page without its language, or the parts of one. */
export type LocalHref =
  | (string extends LocalPattern
      ? string
      : LocalPathname | `${LocalPathname}${'?' | '#'}${string}` | OutsideHref)
  | { [Pattern in LocalPattern]: PartsOf<Pattern> }[LocalPattern]

/** Returns the URL of a page in a language. URLs of other sites stay as they are. */
export function localize(href: LocalHref, locale: string, paths: LocalizedPaths): string {
  if (typeof href === 'string') {
    const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(href) ?? []
    return path.startsWith('/') && !path.startsWith('//') ? paths.toUrl(locale, path) + rest : href
  }
  const { pathname, params = {}, ...others } = href as PartsOf<string>
  const pattern = pathname === '/' ? localeFolder : localeFolder + pathname
  const parts = { ...others, pathname: pattern, params: { ...params, locale } }
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(hrefOf(parts as RouteHref)) ?? []
  return paths.toUrl(locale, paths.split(path)?.path ?? '/') + rest
}
