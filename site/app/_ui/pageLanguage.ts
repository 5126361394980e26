import { currentRequest } from 'waymark/plugin/server'
import { type Language, languageOf } from './language.ts'

/** Returns the language of the page that the server renders. */
export function pageLanguage(): Language {
  return languageOf(currentRequest()?.pathname ?? '/')
}
