import type { ReactNode } from 'react'
import { Link, type Metadata } from 'waymark'

export const metadata: Metadata = { title: 'Members' }

export default function Members(): ReactNode {
  return (
    <>
      <h1>Welcome</h1>
      <p>proxy.ts found the key in your cookie and let the request through.</p>
      <p>
        <Link href="/lab/proxy">Back to the experiment</Link>
      </p>
    </>
  )
}
