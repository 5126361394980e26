import { config } from 'virtual:waymark-i18n/config'
import type { ScreensRequest } from 'waymark/server'
import { createLocaleChooser } from './chooseLocale.ts'
import { findLanguage } from './state.ts'

const chooser = createLocaleChooser(config.locales)

/**
 * Chooses the language of Waymark's screens and notices, for `screens.ts`: the language of the page's
 * URL or, for a URL outside of `app/[locale]`, the one that the visitor prefers.
 * @example export { screensLanguage as language } from '@waymark/i18n/server'
 */
export function screensLanguage({ pathname, headers }: ScreensRequest): string | null {
  return findLanguage(pathname) ?? chooser.choose(headers.get('accept-language'))
}
