import type { ReactNode } from 'react'
import { Link, type Metadata, ThemeScope, ThemeSelect, ThemeToggle } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { Live } from './live.tsx'
import { Sample } from './sample.tsx'
import styles from './theme.module.css'

export const metadata: Metadata = { title: 'Theme' }

export default function Theme(): ReactNode {
  return (
    <>
      <h1>Theme</h1>
      <p>See your preference, the theme of your system, and the result, as they change.</p>
      <Expect>
        <li>A reload shows the right theme at once, without a flash of the other one.</li>
        <li>Other tabs of this site change at once, too.</li>
        <li>With the preference “system”, the page follows a change of the system at once.</li>
        <li>Invalid text in local storage counts as “system”.</li>
      </Expect>
      <h2>Your theme</h2>
      <Live />
      <h2>Controls</h2>
      <div className="stage">
        <div className="controls">
          <ThemeToggle />
          <ThemeSelect />
        </div>
      </div>
      <h2>A part of the page</h2>
      <p>Each half has its own theme, independent of the page.</p>
      <div className={styles.halves}>
        <ThemeScope theme="light" className={styles.half}>
          <Sample />
        </ThemeScope>
        <ThemeScope theme="dark" className={styles.half}>
          <Sample />
        </ThemeScope>
      </div>
      <h2>A whole route</h2>
      <p>
        <Link href="/lab/theme/dark">This page</Link> is dark for everybody, because its file has{' '}
        <code>export const theme = 'dark'</code>. Your preference stays.
      </p>
    </>
  )
}
