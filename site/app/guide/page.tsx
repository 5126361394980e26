import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { guideGroups } from './_ui/pages.ts'
import styles from './guide.module.css'

export const metadata: Metadata = {
  title: 'Guide',
  description: 'How to build with Waymark: one page for each part of the framework.',
}

export default function Guide(): ReactNode {
  return (
    <>
      <h1>Guide</h1>
      <p>
        One page for each part of the framework. Each begins with what the part is for, shows the
        code, and ends with its limits.
      </p>
      <div className={styles.groups}>
        {guideGroups.map(({ title, pages }) => (
          <section key={title}>
            <h2 className={styles.title}>{title}</h2>
            <ul className={styles.list}>
              {pages.map((page) => (
                <li key={page.href}>
                  <Link href={page.href}>{page.title}</Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}
