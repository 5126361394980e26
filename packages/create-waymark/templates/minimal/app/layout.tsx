import type { ReactNode } from 'react'
import { Link, type Metadata, ThemeToggle } from 'waymark'
import './global.css'

export const metadata: Metadata = {
  title: { default: 'my-app', template: '%s · my-app' },
  description: 'Made with Waymark.',
  icons: { icon: { url: '/favicon.svg', type: 'image/svg+xml' } },
}

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body className="page">
        <header>
          <Link href="/">my-app</Link>
          <ThemeToggle />
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}
