'use client'

import type { ReactNode } from 'react'
import { usePathname } from 'waymark/client'

/** Leads to the same page in another language, as a document: `<html lang>` changes with it. */
export function LanguageLink({ lang, children }: { lang: string; children: ReactNode }) {
  const [, , ...rest] = usePathname().split('/')
  return (
    <a href={['', lang, ...rest].join('/')} hrefLang={lang} lang={lang} data-waymark-document>
      {children}
    </a>
  )
}
