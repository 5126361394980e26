import type { ReactNode } from 'react'
import { Link } from 'waymark'
import { Breakable } from './breakable.tsx'

export default function ClientErrors(): ReactNode {
  return (
    <>
      <h1>A client component</h1>
      <p>The button throws while it renders in the browser. The nearest error file catches that.</p>
      <p className="controls">
        <Breakable />
        <Link className="button" href="/lab/errors">
          Back to the experiment
        </Link>
      </p>
    </>
  )
}
