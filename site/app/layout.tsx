import { font } from '@waymark/font'
import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import './_styles/tokens.css'
import './_styles/base.css'
import { Footer } from './_ui/footer.tsx'
import { Header } from './_ui/header.tsx'
import styles from './layout.module.css'

const serif = font({
  package: '@fontsource-variable/source-serif-4',
  styles: ['normal', 'italic'],
  variable: '--font-serif',
})

const mono = font({
  package: '@fontsource-variable/source-code-pro',
  variable: '--font-mono',
  // Don't preload the code font, because most code is below the fold.
  preload: false,
})

export const metadata: Metadata = {
  title: { template: '%s · Waymark', default: 'Waymark: every route load arrives' },
  description:
    'Waymark is a React framework for web applications with client-side routing. Every route load arrives: at the page, at a fallback screen with the right HTTP status, or at an error that you can trace.',
  icons: { icon: { url: '/favicon.svg', type: 'image/svg+xml' } },
}

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" className={`${serif.variable} ${mono.variable}`}>
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
