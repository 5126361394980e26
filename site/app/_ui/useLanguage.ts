'use client'

import { usePathname } from 'waymark/client'
import { type Language, languageOf } from './language.ts'

/** Returns the language of the page, in client components. */
export function useLanguage(): Language {
  return languageOf(usePathname())
}
