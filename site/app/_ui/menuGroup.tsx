'use client'

import type { ReactNode } from 'react'
import { usePathname } from 'waymark/client'
import { SectionLink } from './sectionLink.tsx'
import styles from './sectionMenu.module.css'

export type MenuGroupProps = {
  readonly title: string
  readonly pages: readonly { readonly href: string; readonly title: string }[]
}

/** Pages under a heading that folds. The group of the current page is open. */
export function MenuGroup({
  title,
  pages,
  isAlone,
}: MenuGroupProps & { readonly isAlone: boolean }): ReactNode {
  const pathname = usePathname()
  const isHere = pages.some(({ href }) => `${pathname}/`.startsWith(`${href}/`))
  return (
    <details open={isHere || isAlone} className={styles.group}>
      <summary className={styles.title}>{title}</summary>
      <ul className={styles.list}>
        {pages.map((page) => (
          <li key={page.href}>
            <SectionLink href={page.href} className={styles.link}>
              {page.title}
            </SectionLink>
          </li>
        ))}
      </ul>
    </details>
  )
}
