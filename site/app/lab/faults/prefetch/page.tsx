import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../../_ui/expect.tsx'
import { PrefetchedLinks } from '../_ui/prefetchedLinks.tsx'

export const metadata: Metadata = { title: 'Faults in prefetches' }

export default function PrefetchFaultsPage(): ReactNode {
  return (
    <>
      <h2>Faults in prefetches</h2>
      <p>
        Choose a fault, tick <b>Prefetches</b>, and add links. The browser prefetches the page of
        each link as soon as the link is near the viewport.
      </p>
      <PrefetchedLinks />
      <p className="controls">
        <a className="button" href="/lab/faults/prefetch">
          Start over
        </a>
        <Link className="button" href="/lab/faults">
          Back to the faults
        </Link>
      </p>
      <Expect>
        <li>Whatever happens to a prefetch, a click is as fast as without one.</li>
        <li>
          A prefetch that is cut, changed or foreign isn’t cached: the click requests the page
          again. Without a fault, the click sends no request.
        </li>
        <li>At most 4 prefetches run at once, one for each link, and 24 in one page view.</li>
        <li>After three failures in a row, prefetching pauses for 30 seconds.</li>
        <li>
          If the server responds “not now”, prefetching pauses for as long as the server says.
        </li>
      </Expect>
    </>
  )
}
