import type { ReactNode } from 'react'
import styles from './expect.module.css'

/**
 * A list of results that readers should see when they try the experiment. The children are list items.
 */
export function Expect({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className={styles.expect}>
      <p className={styles.label}>What to expect</p>
      <ul>{children}</ul>
    </div>
  )
}
