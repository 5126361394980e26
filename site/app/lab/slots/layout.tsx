import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import { Counter } from '../_ui/counter.tsx'
import { Expect } from '../_ui/expect.tsx'
import { Tabs } from '../_ui/tabs.tsx'
import styles from './slots.module.css'

export const metadata: Metadata = { title: 'Parallel slots' }

type SlotsProps = { children: ReactNode; team: ReactNode; log: ReactNode }

const pages = [
  { href: '/lab/slots', title: 'Index' },
  { href: '/lab/slots/more', title: 'More' },
]

export default function SlotsLayout({ children, team, log }: SlotsProps) {
  return (
    <>
      <h1>Parallel slots</h1>
      <p>
        A folder whose name starts with @ is a slot. The layout in the parent folder gets the slot’s
        content as a prop and decides where to show it.
      </p>
      <Expect>
        <li>
          The main content and <code>@team</code> have a page for both URLs, so both change.
        </li>
        <li>
          <code>@log</code> has only a <code>default</code>, which shows for every URL and keeps its
          count.
        </li>
        <li>
          <code>@log</code> waits a second on the server. The other slots don’t wait for it.
        </li>
      </Expect>
      <Tabs pages={pages} />
      <div className={styles.slots}>
        <section className="stage" aria-label="Main">
          {children}
        </section>
        <section className="stage" aria-label="Team">
          {team}
        </section>
        <section className="stage" aria-label="Log">
          {log}
          <p>
            <Counter />
          </p>
        </section>
      </div>
    </>
  )
}
