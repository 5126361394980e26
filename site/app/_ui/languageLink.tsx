'use client'

import type { ReactNode } from 'react'
import { usePathname } from 'waymark/client'
import styles from './header.module.css'
import { languageOf, otherLanguageUrl } from './language.ts'

/** Links to the page in the other language. */
export function LanguageLink(): ReactNode {
  const pathname = usePathname()
  const [language, name] = languageOf(pathname) === 'en' ? ['de', 'Deutsch'] : ['en', 'English']
  return (
    <a
      href={otherLanguageUrl(pathname)}
      lang={language}
      hrefLang={language}
      className={styles.language}
      data-waymark-document=""
    >
      <span className={styles.languageName}>{name}</span>
      <span aria-hidden="true" className={styles.languageCode}>
        {language.toUpperCase()}
      </span>
    </a>
  )
}
