import { LanguageLink, Link, locales, useTranslations } from '@waymark/i18n'
import { getTranslations, htmlProps, localeParams } from '@waymark/i18n/server'
import type { ReactNode } from 'react'
import { type Metadata, ThemeToggle } from 'waymark'
import { themeToggleProps } from 'waymark/server'
import '../global.css'

// Renders static pages in each language.
export const generateStaticParams = localeParams

export function generateMetadata(): Metadata {
  const t = getTranslations('layout')
  return {
    title: { default: 'my-app', template: '%s · my-app' },
    description: t('description'),
    icons: { icon: { url: '/favicon.svg', type: 'image/svg+xml' } },
  }
}

export default function RootLayout({ children }: { children: ReactNode }) {
  const t = useTranslations('layout')
  return (
    <html {...htmlProps()}>
      <body className="page">
        <header>
          <Link href="/">my-app</Link>
          <nav aria-label={t('languages')}>
            {locales.map((locale) => (
              <LanguageLink key={locale} locale={locale} />
            ))}
          </nav>
          <ThemeToggle {...themeToggleProps()} />
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}
