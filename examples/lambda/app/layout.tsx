import type { ReactNode } from 'react'
import { Link } from 'waymark'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <nav>
          <Link href="/">Home</Link> <Link href="/stream">Stream</Link>{' '}
          <Link href="/form">Form</Link>
        </nav>
        {children}
      </body>
    </html>
  )
}
