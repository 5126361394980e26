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
    <html lang="en" className="bg-paper text-ink">
      <body className="mx-auto min-h-dvh max-w-184 px-5 pt-4 pb-16 text-[1.0625rem]/[1.6] sm:px-12">
        <header className="flex flex-wrap items-center justify-between gap-x-5 gap-y-1 text-soft">
          <Link href="/" className="font-bold text-ink">
            my-app
          </Link>
          <div className="-mr-3">
            <ThemeToggle />
          </div>
        </header>
        <main className="pt-[clamp(1.5rem,9vh,6rem)]">{children}</main>
      </body>
    </html>
  )
}
