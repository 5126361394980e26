import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { RenderedAt } from '../_ui/renderedAt.tsx'

/** A page that shows when the server rendered it. */
export function Stamp({ title }: { title: string }): ReactNode {
  return (
    <>
      <h1>{title}</h1>
      <p>
        Rendered at <RenderedAt />
      </p>
      <p>
        <Link href="/lab/static">Back to the experiment</Link>
      </p>
    </>
  )
}
