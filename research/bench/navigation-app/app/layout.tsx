import type { ReactNode } from 'react'
import { Counter } from '../../pages/counter.tsx'

/** The frame. It contains a client component, so React and the router load at once. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <title>Measured page</title>
      </head>
      <body>
        <Counter start={0} />
        <main>{children}</main>
      </body>
    </html>
  )
}
