import { type ReactNode, Suspense } from 'react'
import type { Metadata } from 'waymark'
import { Counter } from '../_ui/counter.tsx'
import { Expect } from '../_ui/expect.tsx'
import { RenderedAt } from '../_ui/renderedAt.tsx'
import { Greeting } from './greeting.tsx'
import { NameForm } from './nameForm.tsx'
import styles from './partial.module.css'

export const dynamic = 'partial'
export const metadata: Metadata = { title: 'Static in part' }

export default function Partial(): ReactNode {
  return (
    <>
      <h1>Static in part</h1>
      <p>
        This page was rendered before you asked for it, all but one place. That place reads a cookie
        and takes its time; everything else does not wait for it.
      </p>
      <Expect>
        <li>In production, the time in the shell is that of the build, whenever you look.</li>
        <li>The time in the hole is now: it arrives two seconds after the rest.</li>
        <li>The counter in the shell works while the hole still waits.</li>
        <li>Two browsers see two names. Without JavaScript, all of it is there, too.</li>
        <li>In development, the whole page is rendered each time; the order is the same.</li>
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
          <Suspense fallback={<p className={styles.waiting}>looking for you…</p>}>
            <Greeting />
          </Suspense>
        </section>
      </div>
      <NameForm />
    </>
  )
}
