import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'
import { Arrivals } from './arrivals.tsx'

export const metadata: Metadata = { title: 'Arrivals' }

export default function ArrivalsPage(): ReactNode {
  return (
    <>
      <h1>Arrivals</h1>
      <p>
        This site counts <Link href="/guide/arrivals">how its loads end</Link>. Below is what this
        document has counted since it was opened, the newest first.
      </p>
      <Expect>
        <li>The document is in the list once the page is idle.</li>
        <li>
          Go to <Link href="/lab/streaming">another page</Link> and back: two more, each with the
          pattern of its route.
        </li>
        <li>The console stays empty.</li>
      </Expect>
      <Arrivals />
      <p className="quiet">
        Browsers send this, the build and web vitals: no URL, no cookie, no id. Only builds count,
        so that the dev server shows an empty list here, and the loads in its panel.
      </p>
    </>
  )
}
