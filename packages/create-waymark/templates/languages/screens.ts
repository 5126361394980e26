import { de } from '@waymark/i18n/texts'
import type { Screens } from 'waymark/server'

/** Waymark's own texts, such as those of error screens and notices, in German. */
export const texts: Screens['texts'] = { de }

/** The texts have the language of the page, which is in its URL. */
export { screensLanguage as language } from '@waymark/i18n/server'
