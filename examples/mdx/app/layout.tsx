import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'

export const metadata: Metadata = { title: 'MDX' }

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <main>{children}</main>
      </body>
    </html>
  )
}
