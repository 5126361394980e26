'use client'

import type { ReactNode } from 'react'
import { usePathname } from 'waymark/client'
import { SectionLink } from './sectionLink.tsx'
import styles from './sectionMenu.module.css'

export type MenuGroupProps = {
  readonly title: string
  /** Label of a part of the menu, shown above the part's first group. */
  readonly part?: string
  readonly pages: readonly { readonly href: string; readonly title: string }[]
}

/** Pages under a heading that folds. The group of the current page is unfolded. */
export function MenuGroup({
  title,
  part,
  pages,
  isAlone,
}: MenuGroupProps & { readonly isAlone: boolean }): ReactNode {
  const pathname = usePathname()
  const isHere = pages.some(({ href }) => `${pathname}/`.startsWith(`${href}/`))
  return (
    <>
      {part && <p className={styles.part}>{part}</p>}
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
    </>
  )
}
