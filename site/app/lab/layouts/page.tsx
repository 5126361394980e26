import type { ReactNode } from 'react'

export default function LayoutsIndex(): ReactNode {
  return <p>The index page stands in the outer layout only.</p>
}
