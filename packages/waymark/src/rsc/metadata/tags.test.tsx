import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { mergeMetadata, mergeViewport } from './merge.ts'
import type { Metadata, Viewport } from './metadata.ts'
import { metadataTags } from './tags.ts'

function tagsOf(metadata: Metadata, viewport: Viewport = {}) {
  const page = { origin: 'https://acme.com', pathname: '/blog' }
  const defaults = { width: 'device-width', initialScale: 1 }
  return metadataTags(mergeMetadata({}, metadata, { page }), mergeViewport(defaults, viewport))
}

/** Returns the HTML without the two tags that are always present. */
function htmlOf(metadata: Metadata, viewport?: Viewport): string {
  return renderToStaticMarkup(tagsOf(metadata, viewport)).replace(always, '')
}

const always =
  '<meta charSet="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>'

const meta = (name: string, content: string) => `<meta name="${name}" content="${content}"/>`
const property = (name: string, content: string) =>
  `<meta property="${name}" content="${content}"/>`

test('an empty page has charset and viewport', () => {
  expect(renderToStaticMarkup(tagsOf({}))).toBe(always)
})

describe('viewport', () => {
  test.each<[Viewport, string]>([
    [
      {
        maximumScale: 1,
        userScalable: false,
        viewportFit: 'cover',
        interactiveWidget: 'resizes-visual',
      },
      meta(
        'viewport',
        'width=device-width, initial-scale=1, maximum-scale=1, user-scalable=no, viewport-fit=cover, interactive-widget=resizes-visual',
      ),
    ],
    [{ themeColor: 'black' }, meta('theme-color', 'black')],
    [
      {
        themeColor: [{ media: '(prefers-color-scheme: light)', color: 'cyan' }, { color: 'black' }],
      },
      `<meta name="theme-color" content="cyan" media="(prefers-color-scheme: light)"/>${meta('theme-color', 'black')}`,
    ],
    [{ colorScheme: 'light dark' }, meta('color-scheme', 'light dark')],
  ])('%j', (viewport, expected) => {
    expect(htmlOf({}, viewport)).toContain(expected)
  })
})

describe('metadata', () => {
  test.each<[Metadata, string]>([
    [{ title: 'A & <b>' }, '<title>A &amp; &lt;b&gt;</title>'],
    [{ title: '' }, ''],
    [{ description: '"><script>' }, meta('description', '&quot;&gt;&lt;script&gt;')],
    [
      { authors: [{ name: 'Ann' }, { name: 'Bo', url: 'https://bo.dev' }], keywords: ['a', 'b'] },
      `${meta('author', 'Ann')}<link rel="author" href="https://bo.dev"/>${meta('author', 'Bo')}${meta('keywords', 'a,b')}`,
    ],
    [
      {
        applicationName: 'App',
        generator: 'Waymark',
        referrer: 'origin',
        creator: 'Ann',
        publisher: 'Bo',
        category: 'technology',
      },
      meta('application-name', 'App') +
        meta('generator', 'Waymark') +
        meta('referrer', 'origin') +
        meta('creator', 'Ann') +
        meta('publisher', 'Bo') +
        meta('category', 'technology'),
    ],
    [{ robots: 'noindex' }, meta('robots', 'noindex')],
    [
      {
        robots: {
          index: false,
          follow: true,
          nocache: true,
          googleBot: {
            index: true,
            'max-snippet': -1,
            'max-image-preview': 'large',
            noimageindex: false,
          },
        },
      },
      meta('robots', 'noindex, follow, nocache') +
        meta('googlebot', 'index, max-snippet:-1, max-image-preview:large'),
    ],
    [
      {
        alternates: {
          canonical: './',
          languages: { 'de-DE': '/de', fr: [{ url: '/fr', title: 'Bonjour' }], it: null },
          media: { 'only screen and (max-width: 600px)': '/mobile' },
          types: { 'application/rss+xml': 'https://acme.com/rss' },
        },
      },
      '<link rel="canonical" href="https://acme.com/blog"/>' +
        '<link rel="alternate" href="https://acme.com/de" hrefLang="de-DE"/>' +
        '<link rel="alternate" href="https://acme.com/fr" hrefLang="fr" title="Bonjour"/>' +
        '<link rel="alternate" href="https://acme.com/mobile" media="only screen and (max-width: 600px)"/>' +
        '<link rel="alternate" href="https://acme.com/rss" type="application/rss+xml"/>',
    ],
    [
      {
        icons: {
          icon: [{ url: '/dark.png', media: '(prefers-color-scheme: dark)' }, '/icon.png'],
          shortcut: '/s.ico',
          apple: { url: '/apple.png', sizes: '180x180', type: 'image/png' },
          other: { rel: 'mask-icon', url: '/mask.svg', color: '#000' },
        },
      },
      '<link rel="shortcut icon" href="/s.ico"/>' +
        '<link rel="icon" href="/dark.png" media="(prefers-color-scheme: dark)"/>' +
        '<link rel="icon" href="/icon.png"/>' +
        '<link rel="apple-touch-icon" href="/apple.png" sizes="180x180" type="image/png"/>' +
        '<link rel="mask-icon" href="/mask.svg" color="#000"/>',
    ],
    [{ manifest: '/manifest.json' }, '<link rel="manifest" href="/manifest.json"/>'],
    [
      { verification: { google: 'g', yandex: ['a', 'b'], yahoo: 'y', other: { me: ['m'] } } },
      meta('google-site-verification', 'g') +
        meta('y_key', 'y') +
        meta('yandex-verification', 'a') +
        meta('yandex-verification', 'b') +
        meta('me', 'm'),
    ],
    [{ appleWebApp: true }, meta('mobile-web-app-capable', 'yes')],
    [
      {
        appleWebApp: {
          capable: false,
          title: 'App',
          statusBarStyle: 'black',
          startupImage: ['/a.png', { url: '/b.png', media: '(orientation: portrait)' }],
        },
      },
      meta('apple-mobile-web-app-title', 'App') +
        '<link rel="apple-touch-startup-image" href="/a.png"/>' +
        '<link rel="apple-touch-startup-image" href="/b.png" media="(orientation: portrait)"/>' +
        meta('apple-mobile-web-app-status-bar-style', 'black'),
    ],
    [
      { itunes: { appId: '1', appArgument: 'x' } },
      meta('apple-itunes-app', 'app-id=1, app-argument=x'),
    ],
    [
      { formatDetection: { telephone: false, email: true, address: false } },
      meta('format-detection', 'telephone=no, address=no'),
    ],
    [{ facebook: { admins: ['1', '2'] } }, property('fb:admins', '1') + property('fb:admins', '2')],
    [{ facebook: { appId: '1' } }, property('fb:app_id', '1')],
    [{ pinterest: { richPin: true } }, meta('pinterest-rich-pin', 'true')],
    [
      { appLinks: { ios: { url: 'app://x', app_store_id: 1 }, web: [{ should_fallback: false }] } },
      property('al:ios:url', 'app://x') +
        property('al:ios:app_store_id', '1') +
        property('al:web:should_fallback', 'false'),
    ],
    [
      { archives: '/13', assets: ['/a'], bookmarks: ['/b'], pagination: { next: '/2' } },
      '<link rel="archives" href="/13"/><link rel="assets" href="/a"/>' +
        '<link rel="bookmarks" href="/b"/><link rel="next" href="/2"/>',
    ],
    [{ other: { custom: ['a', 1], none: null } }, meta('custom', 'a') + meta('custom', '1')],
  ])('%j', (metadata, expected) => {
    expect(htmlOf(metadata)).toBe(expected)
  })

  test('a link with a script URL is left out', () => {
    const metadata: Metadata = {
      alternates: { canonical: 'javascript:alert(1)' },
      icons: ' JavaScript:alert(1)',
      authors: [{ name: 'Ann', url: 'java\tscript:alert(1)' }],
      manifest: '',
    }
    expect(htmlOf(metadata)).toBe(meta('author', 'Ann'))
  })
})

test('keys are unique, and the same on every page for shared tags', () => {
  const keysOf = (metadata: Metadata) => tagsOf(metadata).map(({ key }) => key)
  const images = ['/a.png', '/b.png']
  const long = keysOf({
    title: 'A',
    description: 'B',
    openGraph: { images },
    other: { x: ['1', '2'] },
  })
  expect(new Set(long).size).toBe(long.length)
  expect(long).toEqual(
    expect.arrayContaining(keysOf({ title: 'C', openGraph: { images: '/c.png' } })),
  )
})

test('React puts the tags into the head, wherever they are rendered', () => {
  const html = renderToStaticMarkup(
    <html lang="en">
      <head />
      <body>
        {tagsOf({ title: 'A', alternates: { canonical: './' }, icons: '/i.png' })}
        <p>text</p>
      </body>
    </html>,
  )
  expect(html).toMatch(/<head>.*<title>A<\/title>.*canonical.*icon.*<\/head><body><p>text<\/p>/)
})
