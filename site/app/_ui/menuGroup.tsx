'use client'

import type { ReactNode } from 'react'
import { usePathname } from 'waymark/client'
import { type Language, languageOf, linkTo } from './language.ts'
import { SectionLink } from './sectionLink.tsx'
import styles from './sectionMenu.module.css'

/** A page in the menu. `lang` is set if its title isn't in the language of the menu. */
export type MenuPage = {
  readonly href: string
  readonly title: string
  readonly lang?: Language | undefined
}

export type MenuGroupProps = {
  readonly title: string
  /** Label of a part of the menu, shown above the part's first group. */
  readonly part?: string
  readonly pages: readonly MenuPage[]
}

/** Pages under a heading that folds. The group of the current page is unfolded. */
export function MenuGroup({
  title,
  part,
  pages,
  isAlone,
}: MenuGroupProps & { readonly isAlone: boolean }): ReactNode {
  const pathname = usePathname()
  const language = languageOf(pathname)
  const isHere = pages.some(({ href }) =>
    `${pathname}/`.startsWith(`${linkTo(href, language).href}/`),
  )
  return (
    <>
      {part && <p className={styles.part}>{part}</p>}
      <details open={isHere || isAlone} className={styles.group}>
        <summary className={styles.title}>{title}</summary>
        <ul className={styles.list}>
          {pages.map((page) => (
            <li key={page.href}>
              <SectionLink href={page.href} lang={page.lang} className={styles.link}>
                {page.title}
              </SectionLink>
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}
