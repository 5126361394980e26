import type { ReactNode } from 'react'

export default function PageTwo(): ReactNode {
  return <p>Page two stands in both layouts.</p>
}
