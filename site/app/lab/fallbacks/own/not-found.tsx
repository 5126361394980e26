import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Blaze } from '../../../_ui/blaze.tsx'

export const metadata: Metadata = { title: 'Off the trail' }

export default function NotFound(): ReactNode {
  return (
    <>
      <h1>Off the trail</h1>
      <p>This screen is a file beside the page: not-found.tsx. The status is 404 all the same.</p>
      <p>
        <Blaze kind="turn" />
      </p>
      <p>
        <Link href="/lab/fallbacks">Back to the experiment</Link>
      </p>
    </>
  )
}
