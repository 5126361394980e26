import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'

export const metadata: Metadata = { title: 'Hello' }

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
