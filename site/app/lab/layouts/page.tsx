import type { ReactNode } from 'react'

export default function LayoutsIndex(): ReactNode {
  return <p>The index page is in the outer layout only.</p>
}
