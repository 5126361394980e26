import type { ReactNode } from 'react'
import { ItemsContent } from '../../../pages/items.tsx'

/** A layout that is large compared with its pages. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <section>
      <ItemsContent query="shelf" />
      {children}
    </section>
  )
}
