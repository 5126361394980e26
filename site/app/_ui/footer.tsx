import type { ReactNode } from 'react'
import { Link } from 'waymark'
import styles from './footer.module.css'

export function Footer(): ReactNode {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p>Waymark 0.1, in development, under the MIT licence.</p>
        <p>
          <Link href="/reference">API reference</Link>, <Link href="/changelog">changelog</Link>.
        </p>
        <p>
          This site runs on Waymark. <Link href="/lab">Try its behaviour in the lab</Link>.
        </p>
      </div>
    </footer>
  )
}
