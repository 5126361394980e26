import { config } from 'virtual:waymark-i18n/config'
import { type LocalHref, localize } from '../shared/localHref.ts'
import type { Formatter, FormatterOptions, Locale, Namespace, Translate } from '../shared/types.ts'
import { currentLocale, formatterOf, paths, requestTime, translatorOf } from './state.ts'

// Not React hooks: they read the current request, so they also work in asynchronous components.

export function useTranslations<const Name extends Namespace = never>(
  namespace?: Name,
): Translate<Name> {
  return translatorOf(currentLocale('getTranslations()'), namespace)
}

export const useLocale = (): Locale => currentLocale('useLocale()')

export const useFormatter = ({ timeZone }: FormatterOptions = {}): Formatter =>
  formatterOf(currentLocale('getFormatter()'), timeZone)

export const useNow = (): Date => requestTime()

export const useTimeZone = (): string => config.timeZone

export function useHref(): (href: LocalHref, locale?: Locale) => string {
  const current = useLocale()
  return (href, locale = current) => localize(href, locale, paths)
}

export const locales = config.locales as readonly Locale[]
