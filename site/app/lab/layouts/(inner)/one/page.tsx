import type { ReactNode } from 'react'

export default function PageOne(): ReactNode {
  return <p>Page one is in both layouts.</p>
}
