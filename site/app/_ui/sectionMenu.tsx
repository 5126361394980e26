import type { ReactNode } from 'react'
import { SectionLink } from './sectionLink.tsx'
import styles from './sectionMenu.module.css'

type Groups = readonly {
  readonly title: string
  readonly pages: readonly { readonly href: string; readonly title: string }[]
}[]

type SectionMenuProps = { label: string; index: string; groups: Groups }

/** The pages of one part of the site: beside the page, or folded above it on narrow screens. */
export function SectionMenu({ label, index, groups }: SectionMenuProps): ReactNode {
  const pages = <Pages index={index} groups={groups} />
  return (
    <nav aria-label={label}>
      <a className={styles.skip} href="#page">
        Skip the contents
      </a>
      <div className={styles.side}>{pages}</div>
      <details className={styles.folded}>
        <summary className={styles.summary}>Contents of the {label.toLowerCase()}</summary>
        {pages}
      </details>
    </nav>
  )
}

function Pages({ index, groups }: Omit<SectionMenuProps, 'label'>): ReactNode {
  return (
    <div className={styles.pages}>
      <SectionLink href={index} exact className={styles.link}>
        Overview
      </SectionLink>
      {groups.map(({ title, pages }) => (
        <section key={title}>
          <p className={styles.title}>{title}</p>
          <ul className={styles.list}>
            {pages.map((page) => (
              <li key={page.href}>
                <SectionLink href={page.href} className={styles.link}>
                  {page.title}
                </SectionLink>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
