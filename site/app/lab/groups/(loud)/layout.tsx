import type { ReactNode } from 'react'
import { Link } from 'waymark'
import styles from './loud.module.css'

export default function LoudLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.loud}>
      {children}
      <p>
        <Link href="/lab/groups">Back to the experiment</Link>
      </p>
    </div>
  )
}
