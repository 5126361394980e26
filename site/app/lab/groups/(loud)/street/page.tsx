import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'

export const metadata: Metadata = { title: 'The street' }

export default function Street(): ReactNode {
  return (
    <>
      <h1>The street</h1>
      <p>The layout of this page is in the folder (loud).</p>
    </>
  )
}
