import 'server-only'
import type { Language } from '../languages.ts'
import { de } from './de.ts'
import { type Dictionary, en } from './en.ts'

const dictionaries: Readonly<Record<Language, Dictionary>> = { en, de }

/** The texts of a language. Server components read them; client components get what they need. */
export function dictionaryOf(language: Language): Dictionary {
  return dictionaries[language]
}
