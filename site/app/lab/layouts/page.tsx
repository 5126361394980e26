import type { ReactNode } from 'react'

export default function LayoutsIndex(): ReactNode {
  return <p>The index page is only in the outer layout.</p>
}
