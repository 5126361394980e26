import { config } from 'virtual:waymark-i18n/config'
import { type RedirectOptions, redirect as redirectTo } from 'waymark'
import { directionOf } from '../shared/direction.ts'
import { type LocalHref, localize } from '../shared/localHref.ts'
import type { Formatter, FormatterOptions, Locale, Namespace, Translate } from '../shared/types.ts'
import { currentLocale, formatterOf, paths, translatorOf } from './state.ts'

export type GetOptions<Name extends Namespace = never> = {
  /** Default: the language of the page for which the code runs. */
  readonly locale?: Locale
  /** A group of messages, such as `cart`. Default: all messages */
  readonly namespace?: Name
}

/**
 * Returns the messages of a group, on the server. A cached function doesn't know for which page it
 * runs, so its arguments must contain the language.
 *
 * @param given the group, or options
 * @throws Error if the language is unknown here
 */
export function getTranslations<const Name extends Namespace = never>(
  given?: Name | GetOptions<Name>,
): Translate<Name> {
  const { locale, namespace } =
    typeof given === 'object' ? given : { locale: undefined, namespace: given }
  return translatorOf(locale ?? currentLocale('getTranslations()'), namespace)
}

/**
 * Returns functions that format numbers, dates and lists. @throws Error if the language is unknown
 * here
 */
export function getFormatter({
  locale,
  timeZone,
}: Pick<GetOptions, 'locale'> & FormatterOptions = {}): Formatter {
  return formatterOf(locale ?? currentLocale('getFormatter()'), timeZone)
}

/** Returns the language of the page for which the code runs. @throws Error if it is unknown here */
export function getLocale(): Locale {
  return currentLocale('getLocale()')
}

/** Returns the attributes of `<html>` in the root layout. */
export function htmlProps(): { readonly lang: Locale; readonly dir: 'ltr' | 'rtl' } {
  const lang = currentLocale('htmlProps()')
  return { lang, dir: directionOf(lang) }
}

/**
 * Lists the params of `app/[locale]`, so that a build renders static pages in each language:
 * `export const generateStaticParams = localeParams`.
 */
export function localeParams(): { locale: Locale }[] {
  return config.locales.map((locale) => ({ locale: locale as Locale }))
}

/** Returns the URL of a page in a language. */
export function href(to: LocalHref, locale: Locale = currentLocale('href()')): string {
  return localize(to, locale, paths)
}

/** Stops the running code and redirects to a page in the current language. @throws always */
export function redirect(to: LocalHref, options?: RedirectOptions): never {
  return redirectTo(href(to) as string & {}, options)
}
