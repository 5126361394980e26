import { germanPages } from './germanPages.ts'

/** Languages of the site. URLs of German pages begin with `/de`. */
export type Language = 'en' | 'de'

/** Returns the language of the page at a URL. */
export function languageOf(pathname: string): Language {
  return /^\/de(?:\/|$)/.test(pathname) ? 'de' : 'en'
}

/** Attributes of a link. A link to the other language loads a document, so the frame changes, too. */
export type LinkTarget = {
  readonly href: string
  readonly hrefLang?: Language
  readonly 'data-waymark-document'?: ''
}

/**
 * Returns the attributes of a link from a page in `language` to a page.
 * @param href URL of the English page, perhaps with a hash
 */
export function linkTo(href: string, language: Language): LinkTarget {
  if (language === 'en') return { href }
  const german = germanUrl(href)
  return german === null ? { href, hrefLang: 'en', 'data-waymark-document': '' } : { href: german }
}

/** Returns the URL of a page in the German frame, or `null` for pages that exist in English only. */
export function germanUrl(href: string): string | null {
  const [pathname = ''] = href.split('#')
  if (pathname === '/') return href.replace('/', '/de')
  const isInFrame = pathname === '/lab' || /^\/guide(?:\/[\w-]+)?$/.test(pathname)
  return isInFrame ? `/de${href}` : null
}

/** Returns the URL of the page in the other language, or of the closest page that exists there. */
export function otherLanguageUrl(pathname: string): string {
  if (languageOf(pathname) === 'de') return pathname.slice('/de'.length) || '/'
  return germanUrl(pathname) ?? (pathname.startsWith('/lab/') ? '/de/lab' : '/de')
}

/** True if the page at the English URL is written in German, too, not only shown in the German frame. */
export function isTranslated(href: string): boolean {
  return germanUrl(href) !== null && (!href.startsWith('/guide/') || href in germanPages)
}

/**
 * Returns the `alternates` of a page in its metadata, for search engines.
 * @param href URL of the English page
 */
export function alternatesOf(href: string, language: Language) {
  const german = isTranslated(href) ? germanUrl(href) : null
  if (german === null) return { canonical: href }
  return {
    canonical: language === 'de' ? german : href,
    languages: { en: href, de: german, 'x-default': href },
  }
}
