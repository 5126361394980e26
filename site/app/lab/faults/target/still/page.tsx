import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'

export const metadata: Metadata = { title: 'The still target' }

export default function StillTarget(): ReactNode {
  return (
    <>
      <h2>The still target</h2>
      <p>This page was rendered at build, and is fetched ahead whole.</p>
      <p className="controls">
        <Link className="button" href="/lab/faults/prefetch">
          Back to the links
        </Link>
      </p>
    </>
  )
}
