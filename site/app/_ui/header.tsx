import type { ReactNode } from 'react'
import { Link, ThemeToggle } from 'waymark'
import { Blaze } from './blaze.tsx'
import styles from './header.module.css'
import { SectionLink } from './sectionLink.tsx'

/** The header of every page: logo, navigation, search and theme. */
export function Header(): ReactNode {
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <Link href="/" className={styles.logo}>
          <Blaze />
          <span>Waymark</span>
        </Link>
        <nav aria-label="Site" className={styles.nav}>
          <SectionLink href="/guide" className={styles.link}>
            Guide
          </SectionLink>
          <SectionLink href="/lab" className={styles.link}>
            Lab
          </SectionLink>
        </nav>
        {/* Without its script, the search is a link to the list of all pages. */}
        <a
          href="/guide"
          className={styles.search}
          data-search
          aria-haspopup="dialog"
          aria-keyshortcuts="/ Control+K"
        >
          <svg viewBox="0 0 20 20" aria-hidden="true" className={styles.lens}>
            <circle cx="8.5" cy="8.5" r="5.5" />
            <path d="m12.75 12.75 4.5 4.5" />
          </svg>
          <span>Search</span>
          <span aria-hidden="true" className={styles.key}>
            /
          </span>
        </a>
        <script async type="module" src="/search/start.js" />
        <ThemeToggle className={styles.toggle} />
      </div>
    </header>
  )
}
