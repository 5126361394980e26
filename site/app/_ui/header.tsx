import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { ThemeToggle } from 'waymark/theme'
import { Blaze } from './blaze.tsx'
import styles from './header.module.css'
import { SectionLink } from './sectionLink.tsx'

/** The head of every page: logo, the two parts of the site, theme. */
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
        <ThemeToggle className={styles.toggle} />
      </div>
    </header>
  )
}
