import type { ReactNode } from 'react'
import { Link, ThemeToggle } from 'waymark'
import { themeToggleProps } from 'waymark/server'
import { Blaze } from './blaze.tsx'
import styles from './header.module.css'
import { linkTo } from './language.ts'
import { LanguageLink } from './languageLink.tsx'
import { pageLanguage } from './pageLanguage.ts'
import { SectionLink } from './sectionLink.tsx'

const texts = {
  en: { site: 'Site', guide: 'Guide', lab: 'Lab', search: 'Search' },
  de: { site: 'Website', guide: 'Handbuch', lab: 'Labor', search: 'Suche' },
}

/** The header of every page: logo, navigation, search, language and theme. */
export function Header(): ReactNode {
  const language = pageLanguage()
  const { site, guide, lab, search } = texts[language]
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <Link {...linkTo('/', language)} className={styles.logo}>
          <Blaze />
          <span>Waymark</span>
        </Link>
        <nav aria-label={site} className={styles.nav}>
          <SectionLink href="/guide" className={styles.link}>
            {guide}
          </SectionLink>
          <SectionLink href="/lab" className={styles.link}>
            {lab}
          </SectionLink>
        </nav>
        {/* Without its script, the search is a link to the list of all pages. */}
        <a
          {...linkTo('/guide', language)}
          className={styles.search}
          data-search
          aria-haspopup="dialog"
          aria-keyshortcuts="/ Control+K"
        >
          <svg viewBox="0 0 20 20" aria-hidden="true" className={styles.lens}>
            <circle cx="8.5" cy="8.5" r="5.5" />
            <path d="m12.75 12.75 4.5 4.5" />
          </svg>
          <span>{search}</span>
          <span aria-hidden="true" className={styles.key}>
            /
          </span>
        </a>
        <script async type="module" src="/search/start.js" />
        <LanguageLink />
        <ThemeToggle {...themeToggleProps()} className={styles.toggle} />
      </div>
    </header>
  )
}
