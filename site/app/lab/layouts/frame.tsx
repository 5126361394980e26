import type { ReactNode } from 'react'
import { connection } from 'waymark/server'
import { Counter } from '../_ui/counter.tsx'
import { RenderedAt } from '../_ui/renderedAt.tsx'
import styles from './frame.module.css'

type FrameProps = { name: string; children: ReactNode }

/** Draws a frame around the content of a layout, with state in it. */
export async function Frame({ name, children }: FrameProps): Promise<ReactNode> {
  await connection()
  return (
    <section className={styles.frame} aria-label={name}>
      <p className={styles.name}>
        {name}, rendered at <RenderedAt />
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
