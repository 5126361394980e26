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
      <p>
        What a person prefers, what their system says, and what comes of it. All three are live.
      </p>
      <Expect>
        <li>A reload paints the right theme at once; there is no flash of the other one.</li>
        <li>Another tab of this site follows within an instant.</li>
        <li>With the preference “system”, a change of the system is followed at once.</li>
        <li>Garbage in local storage counts as “system”.</li>
      </Expect>
      <h2>Live</h2>
      <Live />
      <h2>Controls</h2>
      <div className="stage">
        <div className="controls">
          <ThemeToggle />
          <ThemeSelect />
        </div>
      </div>
      <h2>A part of the page</h2>
      <p>Each half has a theme of its own, whatever the page has.</p>
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
        <Link href="/lab/theme/dark">This page</Link> is dark for everybody: its file says{' '}
        <code>export const theme = 'dark'</code>. Your preference is kept.
      </p>
    </>
  )
}
