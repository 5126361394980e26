import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { labGroups } from './_ui/pages.ts'
import styles from './page.module.css'

export const metadata: Metadata = {
  description: 'A page for each behaviour of Waymark, to be tried by hand.',
}

export default function Lab(): ReactNode {
  return (
    <>
      <h1>Lab</h1>
      <p>
        A page for each behaviour. It says what to expect, lets you cause it, and shows what
        happened. Nothing here is simulated: the answers are this server’s own.
      </p>
      <div className={styles.groups}>
        {labGroups.map(({ title, pages }) => (
          <section key={title} className={styles.group}>
            <h2>{title}</h2>
            <ul className={styles.list}>
              {pages.map(({ href, title, says }) => (
                <li key={href} className={styles.item}>
                  <Link href={href}>{title}</Link>
                  <p>{says}</p>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}
