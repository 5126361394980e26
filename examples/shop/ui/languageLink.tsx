'use client'

import type { ReactNode } from 'react'
import { usePathname } from 'waymark/client'

/** Links to the same page in another language. Loads a new document, because `<html lang>` changes. */
export function LanguageLink({ lang, children }: { lang: string; children: ReactNode }) {
  const [, , ...rest] = usePathname().split('/')
  return (
    <a href={['', lang, ...rest].join('/')} hrefLang={lang} lang={lang} data-waymark-document>
      {children}
    </a>
  )
}
