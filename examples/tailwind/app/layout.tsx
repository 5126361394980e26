import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import './global.css'

export const metadata: Metadata = { title: 'Tailwind' }

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
