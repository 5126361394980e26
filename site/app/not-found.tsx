import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Blaze } from './_ui/blaze.tsx'
import styles from './_ui/notFound.module.css'

export const metadata: Metadata = { title: 'Not found' }

/** Where no page is: the marks that end a trail, and the ways on. */
export default function NotFound(): ReactNode {
  return (
    <main className={styles.main}>
      <Blaze kind="end" />
      <p className={styles.status}>404</p>
      <h1>No page is at this address</h1>
      <p className={styles.lead}>
        It may be mistyped, or the page has another name by now. The search above looks through
        every page of this site.
      </p>
      <ul className={styles.ways}>
        <li>
          <Link href="/guide">The guide</Link>, with all of its pages
        </li>
        <li>
          <Link href="/reference">The reference</Link>, with every export
        </li>
        <li>
          <Link href="/lab">The lab</Link>, to try each behaviour
        </li>
      </ul>
    </main>
  )
}
