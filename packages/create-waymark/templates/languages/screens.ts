import { de } from '@waymark/i18n/texts'
import type { Screens } from 'waymark/server'

/** The German texts of Waymark's own screens and notices. */
export const texts: Screens['texts'] = { de }

/** The texts have the language of the page, which is in its URL. */
export { screensLanguage as language } from '@waymark/i18n/server'
