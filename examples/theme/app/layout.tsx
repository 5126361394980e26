import type { ReactNode } from 'react'
import { Link, type Metadata, ThemeSelect, ThemeToggle } from 'waymark'
import './global.css'

export const metadata: Metadata = { title: 'Theme' }

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <header>
          <Link href="/">Home</Link>
          <Link href="/night">Night</Link>
          <ThemeToggle />
          <ThemeSelect names={{ sepia: 'Sepia' }} />
        </header>
        {children}
      </body>
    </html>
  )
}
