import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { BadDay } from './_home/badDay.tsx'
import { Endings } from './_home/endings.tsx'
import { Figures } from './_home/figures.tsx'
import { Folder } from './_home/folder.tsx'
import { Hero } from './_home/hero.tsx'
import styles from './_home/home.module.css'
import { Parts } from './_home/parts.tsx'
import { Start } from './_home/start.tsx'

export default function Home(): ReactNode {
  return (
    <main>
      <Hero />
      <div className={styles.sections}>
        <Start />
        <Endings />
        <BadDay />
        <Figures />
        <Folder />
        <Parts />
        <section className={styles.closing} aria-labelledby="closing">
          <h2 id="closing">Don’t take our word for it</h2>
          <p>
            The lab has a page for each behaviour. Each page tells you what to expect, lets you try
            it, and shows what happened. This site runs on Waymark and uses only its public API.
          </p>
          <p>
            <Link href="/lab">Open the lab</Link>
          </p>
        </section>
      </div>
    </main>
  )
}
