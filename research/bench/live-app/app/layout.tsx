import type { ReactNode } from 'react'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <title>Board</title>
      </head>
      <body>{children}</body>
    </html>
  )
}
