import type { ReactNode } from 'react'
import styles from './expect.module.css'

/** What the reader should see, said before they try: list items. */
export function Expect({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className={styles.expect}>
      <p className={styles.label}>What to expect</p>
      <ul>{children}</ul>
    </div>
  )
}
