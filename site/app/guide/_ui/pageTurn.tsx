'use client'

import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { usePathname } from 'waymark/client'
import { type GuidePage, guideGroups } from './pages.ts'
import styles from './pageTurn.module.css'

const pages = guideGroups.flatMap((group) => group.pages)

/** Links to the previous and the next page in reading order. */
export function PageTurn(): ReactNode {
  const pathname = usePathname()
  const at = pages.findIndex(({ href }) => href === pathname)
  const before = at > 0 ? pages[at - 1] : undefined
  const after = pages[at + 1]
  if (!before && !after) return null
  return (
    <nav className={styles.turn} aria-label="Previous and next page">
      {before ? <Turn page={before} says="Previous" /> : <span />}
      {after && <Turn page={after} says={at === -1 ? 'Start with' : 'Next'} />}
    </nav>
  )
}

function Turn({ page, says }: { page: GuidePage; says: string }): ReactNode {
  return (
    <Link href={page.href} className={styles.link}>
      <span className={styles.says}>{says}</span>
      <span className={styles.title}>{page.title}</span>
    </Link>
  )
}
