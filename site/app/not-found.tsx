import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Blaze } from './_ui/blaze.tsx'
import styles from './_ui/notFound.module.css'

export const metadata: Metadata = { title: '404: This page could not be found.' }

/** Says what the built-in screen says, in its measures, with the ways on that this site has. */
export default function NotFound(): ReactNode {
  return (
    <main className={styles.main}>
      <div className={styles.top}>
        <p className={styles.status}>404</p>
        <Blaze kind="end" />
      </div>
      <h1 className={styles.heading}>This page could not be found.</h1>
      <p className={styles.lead}>
        The address may be mistyped, or the page may have been moved or removed. The search above
        looks through every page of this site.
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
