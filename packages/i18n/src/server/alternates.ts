import { config } from 'virtual:waymark-i18n/config'
import type { Metadata, Sitemap } from 'waymark'
import { withBasePath } from 'waymark/plugin/server'
import { defaultLocaleOf } from '../shared/config.ts'
import { type LocalHref, localize } from '../shared/localHref.ts'
import { withoutLocale } from '../shared/localPattern.ts'
import { encodeSegment, parsePattern } from '../shared/pathPattern.ts'
import type { Locale } from '../shared/types.ts'
import { currentLocale, findLocalPath, paths, patternOf } from './state.ts'

/**
 * Params that differ between the languages of one page, such as a translated slug. `null` stands for
 * a language in which the page doesn't exist.
 */
export type SisterParams = {
  readonly [Each in Locale]?: Readonly<Record<string, string | readonly string[]>> | null
}

type Alternates = NonNullable<Metadata['alternates']>

/**
 * Returns the page's own URL and its URLs in the other languages, for `alternates` in the metadata.
 * Search engines get them as `canonical` and `hreflang`, and `<LanguageLink>` leads to them.
 *
 * @param sisters params that differ between languages. Default: the params of this page
 */
export function alternates(sisters: SisterParams = {}): Alternates {
  const locale = currentLocale('alternates()')
  const path = findLocalPath()?.path ?? '/'
  const pattern = patternOf(paths.join(locale, path))
  const page = parsePattern(pattern === null ? path : withoutLocale(pattern))
  const values = page.match(path) ?? {}
  const languages: Record<string, string> = {}
  for (const each of config.locales) {
    const own = sisters[each as Locale]
    if (own === null) continue
    const params = Object.entries(own ?? {}).map(([name, value]) => [name, encodeParam(value)])
    const target = page.fill({ ...values, ...Object.fromEntries(params) })
    languages[each] = withBasePath(paths.toUrl(each, target))
  }
  const defaultUrl = languages[defaultLocaleOf(config)]
  return {
    canonical: withBasePath(paths.toUrl(locale, path)),
    languages: defaultUrl === undefined ? languages : { ...languages, 'x-default': defaultUrl },
  }
}

/**
 * Lists a page's URLs for a sitemap, one for each language, each with all others.
 *
 * @param to the page: one target for all languages, or one for each language that has the page
 * @param origin such as `https://example.com`
 */
export function sitemapEntries(
  to: LocalHref | { readonly [Each in Locale]?: LocalHref },
  origin: string,
): Sitemap {
  const targets = typeof to === 'object' && !('pathname' in to) ? to : null
  const urls = config.locales.flatMap((locale) => {
    const target = targets ? targets[locale as Locale] : (to as LocalHref)
    if (target === undefined) return []
    return [[locale, origin + withBasePath(localize(target, locale, paths))] as const]
  })
  const languages: Record<string, string> = Object.fromEntries(urls)
  return urls.map(([, url]) => ({ url, alternates: { languages } }))
}

function encodeParam(value: string | readonly string[]): string {
  return [value].flat().map(encodeSegment).join('/')
}
