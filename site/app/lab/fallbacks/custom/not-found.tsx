import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Blaze } from '../../../_ui/blaze.tsx'

export const metadata: Metadata = { title: '404: This page could not be found.' }

export default function NotFound(): ReactNode {
  return (
    <>
      <h1>This page could not be found.</h1>
      <p>
        This screen comes from the lab’s own <code>not-found.tsx</code>. The response has the status
        404, as with the built-in screen.
      </p>
      <p>
        <Blaze kind="turn" />
      </p>
      <p>
        <Link href="/lab/fallbacks">Back to the experiment</Link>
      </p>
    </>
  )
}
