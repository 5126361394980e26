import type { ReactNode } from 'react'
import { Counter } from '../_ui/counter.tsx'
import styles from './frame.module.css'

/** Draws what a layout is, with state in it. */
export function Frame({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <section className={styles.frame} aria-label={name}>
      <p className={styles.name}>
        {name}, rendered at <time>{new Date().toISOString().slice(11, 23)}</time>
      </p>
      <div className="controls">
        <Counter label={name} />
        <label className="field">
          <span>Some text</span>
          <input type="text" autoComplete="off" />
        </label>
      </div>
      {children}
    </section>
  )
}
