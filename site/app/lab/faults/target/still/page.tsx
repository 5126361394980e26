import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'

export const metadata: Metadata = { title: 'The static target' }

export default function StillTarget(): ReactNode {
  return (
    <>
      <h2>The static target</h2>
      <p>The build has rendered this page, so the browser prefetches it whole.</p>
      <p className="controls">
        <Link className="button" href="/lab/faults/prefetch">
          Back to the links
        </Link>
      </p>
    </>
  )
}
