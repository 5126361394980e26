import { font } from '@waymark/font'
import type { ReactNode } from 'react'
import type { Metadata } from 'waymark'
import './_styles/tokens.css'
import './_styles/base.css'
import { Footer } from './_ui/footer.tsx'
import { Header } from './_ui/header.tsx'
import { origin } from './_ui/origin.ts'
import { pageLanguage } from './_ui/pageLanguage.ts'
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

const texts = {
  en: {
    title: 'Waymark: every route load arrives',
    description:
      'Waymark is a React framework for web applications with client-side routing. Every route load arrives: at the page, at a fallback screen with the right HTTP status, or at an error that you can trace.',
    skip: 'Skip to content',
  },
  de: {
    title: 'Waymark: Jeder Seitenaufruf kommt an',
    description:
      'Waymark ist ein React-Framework für Webanwendungen mit Routing im Browser. Jeder Seitenaufruf kommt an: auf der Seite, auf einer Ersatzseite mit dem richtigen HTTP-Status oder bei einem Fehler, den Sie nachverfolgen können.',
    skip: 'Zum Inhalt springen',
  },
}

export function generateMetadata(): Metadata {
  const { title, description } = texts[pageLanguage()]
  return {
    title: { template: '%s · Waymark', default: title },
    description,
    icons: { icon: { url: '/favicon.svg', type: 'image/svg+xml' } },
    ...(origin !== null && { metadataBase: new URL(origin) }),
  }
}

export default function RootLayout({ children }: { children: ReactNode }) {
  const language = pageLanguage()
  return (
    <html lang={language} className={`${serif.variable} ${mono.variable}`}>
      <body>
        <a className={styles.skip} href="#main">
          {texts[language].skip}
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
