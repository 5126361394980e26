import type { ReactNode } from 'react'
import type { LinkComponent } from './link.ts'

type LayoutProps = {
  children: ReactNode
  Link?: LinkComponent
  /** Elements that the framework needs at the end of the head and of the body. */
  head?: ReactNode
  scripts?: ReactNode
}

/**
 * The frame of every measured page: title, description, and a header with three links. Frameworks may
 * add elements to the head.
 */
export function Layout({ children, Link = 'a', head, scripts }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <title>Measured page</title>
        <meta name="description" content="A page that exists to be measured." />
        {head}
      </head>
      <body>
        <header className="site-header">
          <nav>
            <Link href="/">Home</Link>
            <Link href="/small?q=1">Small</Link>
            <Link href="/items?q=1">Items</Link>
          </nav>
        </header>
        <main>{children}</main>
        {scripts}
      </body>
    </html>
  )
}
