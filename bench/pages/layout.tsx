import type { ReactNode } from 'react'

/**
 * The frame of every measured page: title and description, header with three links. What the
 * framework adds to a head by itself, it adds.
 */
export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <title>Measured page</title>
        <meta name="description" content="A page that exists to be measured." />
      </head>
      <body>
        <header className="site-header">
          <nav>
            <a href="/">Home</a>
            <a href="/small?q=1">Small</a>
            <a href="/items?q=1">Items</a>
          </nav>
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}
