import serif from '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2'
import type { ReactNode } from 'react'
import { preload } from 'react-dom'
import type { Metadata } from 'waymark'
import './_styles/fonts.css'
import './_styles/tokens.css'
import './_styles/base.css'
import { Footer } from './_ui/footer.tsx'
import { Header } from './_ui/header.tsx'
import styles from './layout.module.css'

export const metadata: Metadata = {
  title: { template: '%s · Waymark', default: 'Waymark: every route load arrives' },
  description:
    'Waymark is a React framework for web applications with client-side routing. Every route load arrives: at the page, at a fallback screen with its true HTTP status, or at an error that can be traced.',
  icons: { icon: { url: '/favicon.svg', type: 'image/svg+xml' } },
}

export default function RootLayout({ children }: { children: ReactNode }) {
  // The style sheet would ask for it only once it has been read.
  preload(serif, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
  return (
    <html lang="en">
      <body>
        <a className={styles.skip} href="#main">
          Skip to content
        </a>
        <Header />
        <div id="main" tabIndex={-1} className={styles.main}>
          {children}
        </div>
        <Footer />
      </body>
    </html>
  )
}
