import 'server-only'
import type { Language } from '../languages.ts'
import { de } from './de.ts'
import { type Dictionary, en } from './en.ts'

const dictionaries: Readonly<Record<Language, Dictionary>> = { en, de }

/**
 * Returns the texts of a language. Server components call this function, and pass texts to client
 * components.
 */
export function dictionaryOf(language: Language): Dictionary {
  return dictionaries[language]
}
