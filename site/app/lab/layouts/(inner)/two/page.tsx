import type { ReactNode } from 'react'

export default function PageTwo(): ReactNode {
  return <p>Page two is in both layouts.</p>
}
