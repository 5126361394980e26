import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Calls } from './calls.tsx'

export const metadata: Metadata = { title: 'The target with actions' }

export default function CallingTarget(): ReactNode {
  return (
    <>
      <h2>The target with actions</h2>
      <Calls />
      <p className="controls">
        <Link className="button" href="/lab/faults">
          Back to the faults
        </Link>
      </p>
    </>
  )
}
