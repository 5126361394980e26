import type { ReactNode } from 'react'
import { FlagsNotice } from '../flags/components.tsx'

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <FlagsNotice />
        {children}
      </body>
    </html>
  )
}
