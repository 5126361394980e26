import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'
import { Address } from './address.tsx'

export const metadata: Metadata = { title: 'Rewritten' }

export default function Rewritten(): ReactNode {
  return (
    <>
      <h1>Rewritten</h1>
      <p>
        This page is <code>proxy/rewritten/page.tsx</code>. <Address />
      </p>
      <p>
        <Link href="/lab/proxy">Back to the experiment</Link>
      </p>
    </>
  )
}
