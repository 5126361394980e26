import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Expect } from '../_ui/expect.tsx'

export const metadata: Metadata = { title: 'Route groups' }

export default function Groups(): ReactNode {
  return (
    <>
      <h1>Route groups</h1>
      <p>
        A folder in parentheses gives some routes their own layout. Its name isn’t part of the URL.
      </p>
      <Expect>
        <li>
          <code>(calm)/lake</code> is the page at <code>/lab/groups/lake</code>, and{' '}
          <code>(loud)/street</code> is the one at <code>/lab/groups/street</code>.
        </li>
        <li>Each group has its own layout and its own style sheet.</li>
      </Expect>
      <p className="controls">
        <Link className="button" href="/lab/groups/lake">
          To the lake
        </Link>
        <Link className="button" href="/lab/groups/street">
          To the street
        </Link>
      </p>
    </>
  )
}
