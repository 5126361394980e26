import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { RenderedAt } from '../_ui/renderedAt.tsx'

/** Content of a page that shows when the server rendered the page. */
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
