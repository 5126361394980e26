import type { ReactNode } from 'react'
import { Link } from 'waymark'
import styles from './calm.module.css'

export default function CalmLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.calm}>
      {children}
      <p>
        <Link href="/lab/groups">Back to the experiment</Link>
      </p>
    </div>
  )
}
