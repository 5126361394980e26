import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { labGroups } from './_ui/pages.ts'
import styles from './page.module.css'

export const metadata: Metadata = {
  description: 'Try each behaviour of Waymark yourself.',
}

export default function Lab(): ReactNode {
  return (
    <>
      <h1>Lab</h1>
      <p>
        Try each behaviour of Waymark yourself. Every page tells you what to expect, lets you try
        it, and shows what happened. Nothing is simulated: all responses come from this server.
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
