import type { ReactNode } from 'react'
import { Link } from 'waymark'
import Code from './code.mdx'
import Command from './command.mdx'
import styles from './start.module.css'

/** How an app begins, and what a page looks like. */
export function Start(): ReactNode {
  return (
    <section className={styles.section} aria-labelledby="start">
      <div className={styles.text}>
        <h2 id="start">Begin with one command</h2>
        <p>
          It makes an app in TypeScript that runs, builds and type checks at once. Until version 0.1
          is published, the same works <Link href="/guide/getting-started">inside a clone</Link>.
        </p>
        <Command />
        <p>
          A page is a server component. It reads its data where it needs it, and says with one call
          when there is nothing to show. Its form works before any script has arrived.
        </p>
      </div>
      <Code />
    </section>
  )
}
