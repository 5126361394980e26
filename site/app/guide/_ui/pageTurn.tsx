'use client'

import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { usePathname } from 'waymark/client'
import { type Language, languageOf, linkTo } from '../../_ui/language.ts'
import { menuPage } from './german.ts'
import { type GuidePage, guideGroups } from './pages.ts'
import styles from './pageTurn.module.css'

const texts = {
  en: { label: 'Previous and next page', before: 'Previous', after: 'Next', first: 'Start with' },
  de: {
    label: 'Vorige und nächste Seite',
    before: 'Zurück',
    after: 'Weiter',
    first: 'Beginnen Sie mit',
  },
}

const pages = guideGroups.flatMap((group) => group.pages)

/** Links to the previous and the next page in reading order. */
export function PageTurn(): ReactNode {
  const pathname = usePathname()
  const language = languageOf(pathname)
  const { label, before: previous, after: next, first } = texts[language]
  const at = pages.findIndex(({ href }) => linkTo(href, language).href === pathname)
  const before = at > 0 ? pages[at - 1] : undefined
  const after = pages[at + 1]
  if (!before && !after) return null
  return (
    <nav className={styles.turn} aria-label={label}>
      {before ? <Turn page={before} says={previous} language={language} /> : <span />}
      {after && <Turn page={after} says={at === -1 ? first : next} language={language} />}
    </nav>
  )
}

type TurnProps = { page: GuidePage; says: string; language: Language }

function Turn({ page, says, language }: TurnProps): ReactNode {
  const { href, title, lang } = menuPage(page, language)
  return (
    <Link {...linkTo(href, language)} className={styles.link}>
      <span className={styles.says}>{says}</span>
      <span className={styles.title} lang={lang}>
        {title}
      </span>
    </Link>
  )
}
