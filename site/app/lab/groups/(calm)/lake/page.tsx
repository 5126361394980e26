import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'

export const metadata: Metadata = { title: 'The lake' }

export default function Lake(): ReactNode {
  return (
    <>
      <h1>The lake</h1>
      <p>The layout of this page is in the folder (calm).</p>
    </>
  )
}
