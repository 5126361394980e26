import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Loader } from './loader.tsx'

export const metadata: Metadata = { title: 'The target that imports code' }

export default function ImportingTarget(): ReactNode {
  return (
    <>
      <h2>The target that imports code</h2>
      <Loader />
      <p className="controls">
        <Link className="button" href="/lab/faults">
          Back to the faults
        </Link>
      </p>
    </>
  )
}
