import type { ReactNode } from 'react'
import { Link } from 'waymark'
import styles from './hero.module.css'
import { Trail } from './trail.tsx'

/** The framework's promise, drawn over a map. */
export function Hero(): ReactNode {
  return (
    <section className={styles.hero}>
      <div className={styles.map} aria-hidden="true" />
      <Trail />
      <div className={styles.inner}>
        <h1 className={styles.title}>
          Every route load <em>arrives</em>.
        </h1>
        <p className={styles.lead}>
          Waymark is a React framework for web applications with client-side routing. Each load ends
          at the page, at a fallback screen with the right HTTP status, or at an error that you can
          trace. Nobody sees a blank page or waits forever.
        </p>
        <p className={styles.actions}>
          <Link className={styles.primary} href="/guide/ten-minutes">
            Get started
          </Link>
          <Link className={styles.secondary} href="/lab">
            Try it in the lab
          </Link>
        </p>
      </div>
    </section>
  )
}
