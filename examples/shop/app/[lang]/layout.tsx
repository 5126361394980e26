import { OfflineUser } from '@waymark/offline/server'
import { type ReactNode, Suspense } from 'react'
import { type LayoutProps, Link, type Metadata, ThemeToggle } from 'waymark'
import { dictionaryOf } from '../../dictionaries/dictionary.ts'
import { type Language, languages, readLanguage } from '../../languages.ts'
import { readCart } from '../../session.ts'
import { LanguageLink } from '../../ui/languageLink.tsx'
import { Sheen } from '../../ui/vessel.tsx'
import '../../styles/base.css'
import '../../styles/shop.css'
import '../../styles/forms.css'

export function generateStaticParams() {
  return languages.map((lang) => ({ lang }))
}

export async function generateMetadata({ params }: LayoutProps<'/[lang]'>): Promise<Metadata> {
  const { shop, claim } = dictionaryOf(await readLanguage(params))
  return {
    metadataBase: new URL(process.env.SHOP_ORIGIN ?? 'http://localhost:3000'),
    title: { template: `%s · ${shop}`, default: `${shop} · ${claim}` },
    description: claim,
    alternates: { canonical: './' },
  }
}

export default async function RootLayout({ params, children }: LayoutProps<'/[lang]'>) {
  const lang = await readLanguage(params)
  const { shop, nav, theme, language, footer } = dictionaryOf(lang)
  return (
    <html lang={lang}>
      <body>
        <a className="skip" href="#content">
          {nav.skip}
        </a>
        <Sheen />
        <header className="bar">
          <Link className="brand" href={`/${lang}`}>
            {shop}
          </Link>
          <nav>
            <Link href={`/${lang}/products`}>{nav.products}</Link>
            <Link href={`/${lang}/account`}>{nav.account}</Link>
            <Suspense fallback={<CartLink lang={lang} />}>
              <FilledCartLink lang={lang} />
            </Suspense>
          </nav>
          <div className="tools">
            <LanguageLink lang={lang === 'en' ? 'de' : 'en'}>{language}</LanguageLink>
            <ThemeToggle
              className="quiet"
              names={theme}
              label={(state, next) => `${theme.label}: ${state} → ${next}`}
            />
          </div>
        </header>
        <main id="content">{children}</main>
        <footer className="bar foot">{footer}</footer>
      </body>
    </html>
  )
}

// The only part of the page that needs the request. The build can render the rest of the page.
async function FilledCartLink({ lang }: { lang: Language }): Promise<ReactNode> {
  const lines = await readCart()
  return (
    <>
      <OfflineUser />
      <CartLink lang={lang} count={lines.reduce((sum, line) => sum + line.quantity, 0)} />
    </>
  )
}

function CartLink({ lang, count = 0 }: { lang: Language; count?: number }): ReactNode {
  return (
    <Link href={`/${lang}/cart`}>
      {dictionaryOf(lang).nav.cart}
      {count > 0 && <b className="count"> {count}</b>}
    </Link>
  )
}
