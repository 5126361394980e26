import { de } from '@waymark/i18n/texts'
import type { Screens } from 'waymark/server'

/** The German texts of Waymark's own screens and notices. */
export const texts: Screens['texts'] = { de }
