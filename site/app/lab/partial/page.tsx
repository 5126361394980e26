import { type ReactNode, Suspense } from 'react'
import type { Metadata } from 'waymark'
import { Counter } from '../_ui/counter.tsx'
import { Expect } from '../_ui/expect.tsx'
import { RenderedAt } from '../_ui/renderedAt.tsx'
import { Greeting } from './greeting.tsx'
import { NameForm } from './nameForm.tsx'
import styles from './partial.module.css'

export const dynamic = 'partial'
export const metadata: Metadata = { title: 'Partial prerendering' }

export default function Partial(): ReactNode {
  return (
    <>
      <h1>Partial prerendering</h1>
      <p>
        The build has rendered this page, except for one part. That part reads a cookie and takes
        two seconds. The rest of the page doesn’t wait for it.
      </p>
      <Expect>
        <li>In production, the shell always shows the time of the build.</li>
        <li>The hole shows the current time. It arrives two seconds after the rest.</li>
        <li>The counter in the shell works before the hole has arrived.</li>
        <li>Two browsers see two names. Everything also shows without JavaScript.</li>
        <li>In development, the server renders the whole page each time, in the same order.</li>
      </Expect>
      <div className={styles.parts}>
        <section className={styles.part}>
          <h2>The shell</h2>
          <p>
            Rendered at <RenderedAt />
          </p>
          <Counter />
        </section>
        <section className={styles.part}>
          <h2>The hole</h2>
          <Suspense fallback={<p className={styles.waiting}>Looking for your name…</p>}>
            <Greeting />
          </Suspense>
        </section>
      </div>
      <NameForm />
    </>
  )
}
