import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { connection } from 'waymark/server'
import { RenderedAt } from '../../_ui/renderedAt.tsx'

export const metadata: Metadata = { title: 'The target' }

export default async function Target(): Promise<ReactNode> {
  await connection()
  return (
    <>
      <h2>The target</h2>
      <p>
        The server rendered this page at <RenderedAt />. The page is complete, whatever happened to
        its responses.
      </p>
      <p className="controls">
        <Link className="button" href="/lab/faults">
          Back to the faults
        </Link>
      </p>
    </>
  )
}
