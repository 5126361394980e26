import { de } from '@waymark/i18n/texts'
import type { Screens } from 'waymark/server'
import { languageOf } from './app/_ui/language.ts'

export const texts: Screens['texts'] = { de }

/** The screens have the language of the page, which is in its URL. */
export const language: Screens['language'] = ({ pathname }) => languageOf(pathname)
