import type { ReactNode } from 'react'

export default function PageOne(): ReactNode {
  return <p>Page one stands in both layouts.</p>
}
