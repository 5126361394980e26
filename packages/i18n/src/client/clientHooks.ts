'use client'

import { config } from 'virtual:waymark-i18n/config'
import { useMemo } from 'react'
import { createFormatter } from 'use-intl/core'
import {
  useFormatter as useAnyFormatter,
  useLocale as useAnyLocale,
  useNow as useAnyNow,
  useTimeZone as useAnyTimeZone,
  useTranslations as useAnyTranslations,
} from 'use-intl/react'
import { type LocalHref, localize } from '../shared/localHref.ts'
import { reportProblem } from '../shared/reportProblem.ts'
import type { Formatter, FormatterOptions, Locale, Namespace, Translate } from '../shared/types.ts'
import { clientPaths } from './clientPaths.ts'

/**
 * Returns the messages of a group. In client components, the browser gets only the messages whose
 * keys are literals in the code: `t('title')`.
 * @param namespace a group, such as `cart`. Default: all messages
 */
export function useTranslations<const Name extends Namespace = never>(
  namespace?: Name,
): Translate<Name> {
  return useAnyTranslations(namespace as never) as unknown as Translate<Name>
}

/** Returns the language of the page. */
export function useLocale(): Locale {
  return useAnyLocale() as Locale
}

/** Returns functions that format numbers, dates and lists in the language of the page. */
export function useFormatter({ timeZone }: FormatterOptions = {}): Formatter {
  const usual = useAnyFormatter() as Formatter
  const locale = useAnyLocale()
  const now = useAnyNow()
  return useMemo(
    () =>
      timeZone === undefined
        ? usual
        : createFormatter({ locale, timeZone, now, onError: reportProblem }),
    [usual, locale, timeZone, now],
  )
}

/**
 * Returns the time at which the server rendered the page, so that the browser writes the same text.
 * @param options in client components, `updateInterval` is the time in milliseconds between updates.
 * Default: the time never changes
 */
export function useNow(options?: { readonly updateInterval?: number }): Date {
  return useAnyNow(options)
}

/** Returns the time zone in which dates are written. */
export function useTimeZone(): string {
  return useAnyTimeZone() ?? config.timeZone
}

/** Returns a function that turns a path without a language into a URL, for `router.push()`. */
export function useHref(): (href: LocalHref, locale?: Locale) => string {
  const current = useLocale()
  return (href, locale = current) => localize(href, locale, clientPaths)
}

/** The app's languages, the default one first. */
export const locales = config.locales as readonly Locale[]
