import type { ReactNode } from 'react'
import { Link, type Metadata, ThemeToggle } from 'waymark'
import { readUser } from '../session.ts'
import { leave } from './enter/actions.ts'
import './global.css'

export const metadata: Metadata = { title: { template: '%s · Tracker', default: 'Tracker' } }

export default async function RootLayout({ children }: { children: ReactNode }) {
  const user = await readUser()
  return (
    <html lang="en">
      <body>
        <header className="bar">
          <Link href="/board" className="brand">
            Tracker
          </Link>
          <nav aria-label="Tracker">
            {user && <Link href="/board">Board</Link>}
            {user?.isAdmin && <Link href="/admin">Admin</Link>}
          </nav>
          {user && (
            <form action={leave} className="who">
              <span>{user.name}</span>
              <button type="submit" className="quiet">
                Sign out
              </button>
            </form>
          )}
          <ThemeToggle />
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}
