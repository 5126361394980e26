import type { ReactNode } from 'react'
import { Link } from 'waymark'
import Code from './code.mdx'
import Command from './command.mdx'
import styles from './start.module.css'

/** The command that creates an app, and the code of a page. */
export function Start(): ReactNode {
  return (
    <section className={styles.section} aria-labelledby="start">
      <div className={styles.text}>
        <h2 id="start">Start with one command</h2>
        <p>
          You get an app in TypeScript that runs, builds and passes its type check. Version 0.1
          isn’t on npm yet. Until then, create your app{' '}
          <Link href="/guide/create-an-app#from-a-checkout">from a checkout</Link>.
        </p>
        <Command />
        <p>
          A page is a server component. It reads its own data, and calls <code>notFound()</code> if
          there’s nothing to show. Its form works before any script has loaded.
        </p>
      </div>
      <Code />
    </section>
  )
}
