import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../../_ui/expect.tsx'
import { PrefetchedLinks } from '../_ui/prefetchedLinks.tsx'

export const metadata: Metadata = { title: 'Faults of what is fetched ahead' }

export default function PrefetchFaultsPage(): ReactNode {
  return (
    <>
      <h2>Faults of what is fetched ahead</h2>
      <p>
        Choose a fault, tick <b>Prefetches</b>, and ask for links: each is fetched ahead as soon as
        it is near the screen.
      </p>
      <PrefetchedLinks />
      <p className="controls">
        <a className="button" href="/lab/faults/prefetch">
          Start again
        </a>
        <Link className="button" href="/lab/faults">
          Back to the faults
        </Link>
      </p>
      <Expect>
        <li>Whatever goes wrong ahead, a link leads to its page, as fast as without a prefetch.</li>
        <li>
          What is cut, changed or foreign is not kept: the click asks for the page again.
          Undisturbed, the click asks for nothing.
        </li>
        <li>At most 4 are on their way at once, one for each link, and 24 in one page view.</li>
        <li>After three failures in a row, no link is fetched ahead for 30 seconds.</li>
        <li>When the server says “not now”, none is for as long as it says.</li>
      </Expect>
    </>
  )
}
