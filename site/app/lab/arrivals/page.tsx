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
        This site counts <Link href="/guide/arrivals">how its loads end</Link>. Below you see the
        loads of this document, the newest first.
      </p>
      <Expect>
        <li>The document appears in the list when the page is idle.</li>
        <li>
          Go to <Link href="/lab/streaming">another page</Link> and back. You see two more loads,
          each with the pattern of its route.
        </li>
        <li>The console stays empty.</li>
      </Expect>
      <Arrivals />
      <p className="quiet">
        Browsers send these facts, the build and web vitals, without a URL, a cookie or an id. Only
        builds count loads. The dev server shows an empty list here, and the loads in its panel.
      </p>
    </>
  )
}
