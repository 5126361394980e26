import { expect, test } from 'vitest'
import { robotsTxt, sitemapXml } from './metadataRoute.ts'

test('a sitemap is XML with escaped values', () => {
  const xml = sitemapXml([
    {
      url: 'https://acme.com/?a=1&b=<2>',
      lastModified: new Date(0),
      changeFrequency: 'yearly',
      priority: 0,
      images: ['https://acme.com/a.jpg'],
      alternates: { languages: { de: 'https://acme.com/de' } },
    },
    { url: new URL('https://acme.com/b'), lastModified: '2026-11-21' },
  ])
  expect(xml).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url>
<loc>https://acme.com/?a=1&amp;b=&lt;2&gt;</loc>
<xhtml:link rel="alternate" hreflang="de" href="https://acme.com/de"/>
<image:image><image:loc>https://acme.com/a.jpg</image:loc></image:image>
<lastmod>1970-01-01T00:00:00.000Z</lastmod>
<changefreq>yearly</changefreq>
<priority>0</priority>
</url>
<url>
<loc>https://acme.com/b</loc>
<lastmod>2026-11-21</lastmod>
</url>
</urlset>
`,
  )
})

test('robots.txt has a group per user agent', () => {
  const text = robotsTxt({
    rules: [
      { userAgent: 'Googlebot', allow: ['/'], disallow: '/private/', crawlDelay: 2 },
      { userAgent: ['Applebot', 'Bingbot'], disallow: ['/'], 'Request-Rate': '10/1m' },
    ],
    host: 'acme.com',
    sitemap: 'https://acme.com/sitemap.xml',
  })
  expect(text).toBe(`User-Agent: Googlebot
Allow: /
Disallow: /private/
Crawl-delay: 2

User-Agent: Applebot
Disallow: /
Request-Rate: 10/1m

User-Agent: Bingbot
Disallow: /
Request-Rate: 10/1m

Host: acme.com
Sitemap: https://acme.com/sitemap.xml
`)
})

test('a rule without a user agent is for all, and a value can not start a directive', () => {
  expect(robotsTxt({ rules: { disallow: '/a\nAllow: /' } })).toBe(
    'User-Agent: *\nDisallow: /a Allow: /\n',
  )
})

test('a sitemap describes the videos of a page', () => {
  const video = {
    title: 'A & B',
    thumbnail_loc: 'https://acme.com/a.jpg',
    description: 'A film',
    duration: 600,
    publication_date: new Date(0),
    restriction: { relationship: 'allow' as const, content: 'DE AT' },
    uploader: { info: 'https://acme.com/<me>', content: 'Ada' },
    tag: ['one', 'two'],
    rating: undefined,
  }
  const xml = sitemapXml([{ url: 'https://acme.com/film', videos: [video] }])
  expect(xml).toContain('xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"')
  expect(xml).toContain(
    '<video:video><video:title>A &amp; B</video:title>' +
      '<video:thumbnail_loc>https://acme.com/a.jpg</video:thumbnail_loc>' +
      '<video:description>A film</video:description><video:duration>600</video:duration>' +
      '<video:publication_date>1970-01-01T00:00:00.000Z</video:publication_date>' +
      '<video:restriction relationship="allow">DE AT</video:restriction>' +
      '<video:uploader info="https://acme.com/&lt;me&gt;">Ada</video:uploader>' +
      '<video:tag>one</video:tag><video:tag>two</video:tag></video:video>',
  )
})
