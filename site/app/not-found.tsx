import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Blaze } from './_ui/blaze.tsx'
import styles from './_ui/notFound.module.css'

export const metadata: Metadata = { title: '404: This page could not be found.' }

/** Screen that looks like the built-in one, with links to the parts of this site. */
export default function NotFound(): ReactNode {
  return (
    <main className={styles.main}>
      <div className={styles.top}>
        <p className={styles.status}>404</p>
        <Blaze kind="end" />
      </div>
      <h1 className={styles.heading}>This page could not be found.</h1>
      <p className={styles.lead}>
        Check the address for a typo. The page may also have been moved or removed. The search above
        covers every page of this site.
      </p>
      <ul className={styles.ways}>
        <li>
          <Link href="/guide">The guide</Link>, from your first app to production
        </li>
        <li>
          <Link href="/reference">The reference</Link>, for every export of the packages
        </li>
        <li>
          <Link href="/lab">The lab</Link>, where you can try each behaviour
        </li>
      </ul>
    </main>
  )
}
