import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Live } from '../live.tsx'

export const metadata: Metadata = { title: 'A dark page' }
export const theme = 'dark'

export default function Dark(): ReactNode {
  return (
    <>
      <h1>A dark page</h1>
      <p>This page is always dark. When you leave it, you get your own theme back.</p>
      <Live />
      <p>
        <Link href="/lab/theme">Back to the experiment</Link>
      </p>
    </>
  )
}
