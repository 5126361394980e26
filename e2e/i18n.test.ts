import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp, copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { e2eRoot } from './harness/paths.ts'
import { heading } from './harness/visit.ts'
import { startWorkerd } from './harness/workerd.ts'

const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }

describeModes('an app in several languages', { app: 'i18n' }, (served) => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    served.fetch(path, { headers, redirect: 'manual' })

  test.each([
    ['/', german, '/de'],
    ['/about?tab=1', german, '/de/ueber-uns?tab=1'],
    ['/', { 'accept-language': 'fr,zh;q=0.5' }, '/en'],
    ['/', { ...german, cookie: 'a=1; waymark-locale=ar' }, '/ar'],
    ['/', { ...german, cookie: 'waymark-locale=xx' }, '/de'],
    ['/', { ...german, 'user-agent': 'Googlebot/2.1' }, '/en'],
    ['/', { 'accept-language': `${'x'.repeat(400)};q=9,*;q=NaN,,;;` }, '/en'],
  ])('redirects %s without a language for %o', async (path, headers, location) => {
    const response = await get(path, headers)
    expect(response.status).toBe(307)
    expect(response.headers.get('location')).toBe(location)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('vary')).toContain('accept-language')
  })

  test.each([
    ['/de/about', '/de/ueber-uns'],
    ['/DE/ueber-uns?a=1', '/de/ueber-uns?a=1'],
    ['/de/posts/hallo', '/de/beitraege/hallo'],
  ])('redirects %s to the only URL of its page', async (path, location) => {
    const response = await get(path)
    expect(response.status).toBe(308)
    expect(response.headers.get('location')).toBe(location)
  })

  test.each([
    ['/robots.txt', 200],
    ['/xx', 404],
    ['/xx/about', 404],
    ['/de/nothing', 404],
  ])('leaves %s alone, whatever the visitor prefers', async (path, status) => {
    const response = await get(path, german)
    expect(response.status).toBe(status)
    expect(response.headers.get('location') ?? '').not.toContain('ueber-uns')
  })

  test.each([
    ['/en', 'ltr', 'Good morning', '3 files', 'Read <b>this</b> first.', '€1,234.50'],
    ['/de', 'ltr', 'Guten Morgen', '3 Dateien', 'Lesen Sie <b>dies</b> zuerst.', '1.234,50\u00a0€'],
    ['/ar', 'rtl', 'صباح الخير', '3 ملفات', 'اقرأ <b>هذا</b> أولًا.', '\u200f1,234.50\u00a0€'],
  ])(
    'renders %s in its language, with the same text after hydration',
    async (path, dir, ...texts) => {
      const html = await (await served.fetch(path)).text()
      expect(html).toContain(`<html lang="${path.slice(1)}" dir="${dir}"`)
      for (const text of texts) expect(html).toContain(text)
      const { page, expectQuietConsole } = await openPage(served.app, { timezoneId: 'Asia/Tokyo' })
      await page.goto(path)
      await hydrated(page)
      const before = await page.locator('time').textContent()
      expect(html).toContain(`>${before}</time>`)
      await page.getByRole('button').click()
      await expect.poll(() => page.locator('output').textContent()).toMatch(/1|واحدة/)
      expectQuietConsole()
    },
  )

  test.each([
    ['/de/nothing', 'Diese Seite wurde nicht gefunden'],
    ['/en/nothing', 'This page could not be found'],
    ['/ar/nothing', 'dir="rtl"'],
  ])('shows the screen of %s in the language of the URL', async (path, text) => {
    const response = await get(path, { 'accept-language': 'fr,en;q=0.9,de;q=0.8' })
    expect(response.status).toBe(404)
    expect(await response.text()).toContain(text)
  })

  test('names the URLs of a page in all languages', async () => {
    const html = await (await served.fetch('/de/ueber-uns')).text()
    for (const [language, path] of [
      ['en', 'en/about'],
      ['de', 'de/ueber-uns'],
      ['ar', 'ar/about'],
      ['x-default', 'en/about'],
    ]) {
      const url = `https://example.com/${path}`
      expect(html).toContain(`<link rel="alternate" href="${url}" hrefLang="${language}"/>`)
    }
    expect(html).toContain('<link rel="canonical" href="https://example.com/de/ueber-uns"')
    const post = await (await served.fetch('/de/beitraege/hallo')).text()
    expect(post).toContain('href="https://example.com/en/posts/hello"')
    expect(post).not.toContain('<link rel="alternate" href="https://example.com/ar')
  })

  test('navigates in the language of the page', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/de')
    await hydrated(page)
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    await page.getByRole('link', { name: 'Über uns' }).first().click()
    await heading(page, 'Über uns').waitFor()
    expect(new URL(page.url()).pathname).toBe('/de/ueber-uns')
    await page.getByRole('link', { name: 'Start' }).click()
    await heading(page, 'Guten Morgen').waitFor()
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
    expectQuietConsole()
  })

  test('switches the language and keeps page, query and typed text', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/de/ueber-uns?tab=2#top')
    await hydrated(page)
    await page.getByLabel('Note').fill('Milch')
    await page.getByRole('link', { name: 'English' }).click()
    await heading(page, 'About us').waitFor()
    await expect.poll(() => page.url()).toBe(`${served.app.origin}/en/about?tab=2#top`)
    await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('Milch')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await page.goto('/')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/en')
    expectQuietConsole()
  })

  test('follows the translated slug that a page names', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/en/posts/hello')
    await hydrated(page)
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await heading(page, 'Beitrag hallo').waitFor()
    expect(new URL(page.url()).pathname).toBe('/de/beitraege/hallo')
  })

  test('switches without JavaScript', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/de/ueber-uns')
    await page.getByRole('link', { name: 'English' }).click()
    await heading(page, 'About us').waitFor()
  })
})

const zones = ['America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'UTC']

describeModes('formats', { app: 'i18n', modes: ['production'] }, (served) => {
  test.each(zones)('are the same on the server and in a browser in %s', async (timezoneId) => {
    // The browser's own language differs from the language of each page.
    const { page, expectQuietConsole } = await openPage(served.app, { timezoneId, locale: 'fr' })
    for (const locale of ['en', 'de', 'ar', 'ja']) {
      const html = await (await served.fetch(`/${locale}`)).text()
      await page.goto(`/${locale}`)
      await hydrated(page)
      for (const selector of ['time', 'output', '#price', '#files']) {
        expect(html).toContain(`>${await page.locator(selector).textContent()}</`)
      }
    }
    expectQuietConsole()
  })
})

describeModes('messages in browsers', { app: 'i18n', modes: ['production'] }, (served) => {
  test('are only those that the client components of the page use', async () => {
    const html = await (await served.fetch('/de')).text()
    expect(html).toContain('Klicks')
    for (const text of ['Das zeigt niemand', 'Das zeigt keine Seite', 'Etwas stimmt nicht']) {
      expect(html).not.toContain(text)
    }
    const about = await (await served.fetch('/de/ueber-uns')).text()
    expect(about).not.toContain('Klicks')
  })
})

const greeting = {
  'app/api/[lang]/route.ts': `import { getTranslations } from '@waymark/i18n/server'

// Doesn't check the language that the client has sent.
export async function GET(_: Request, { params }: { params: Promise<{ lang: string }> }) {
  const locale = (await params).lang as never
  return new Response(getTranslations({ locale, namespace: 'home' })('title'))
}
`,
}

describeModes(
  'a route handler outside of app/[locale]',
  { app: 'i18n', files: greeting, modes: ['production'] },
  (served) => {
    test('gets messages in the languages of the app only', async () => {
      expect(await (await served.fetch('/api/de')).text()).toBe('Guten Morgen')
      for (const lang of ['xx', 'constructor', '__proto__', 'de-AT']) {
        const response = await served.fetch(`/api/${lang}`)
        expect(response.status, lang).toBe(500)
        expect(await response.text()).not.toContain("app's languages")
      }
    })
  },
)

const withNextIntl = {
  'app/[locale]/both/page.tsx': `import { Both } from './both.tsx'

export default async function Page({ params }: { params: Promise<{ locale: string }> }) {
  return <Both locale={(await params).locale} />
}
`,
  'app/[locale]/both/both.tsx': `'use client'

import { useTranslations } from '@waymark/i18n'
import { NextIntlClientProvider, useTranslations as useOther } from 'next-intl'

const messages = { words: { things: '{count, plural, one {# Ding} other {# Dinge}}' } }

export function Both({ locale }: { locale: string }) {
  return (
    <NextIntlClientProvider locale={locale} timeZone="UTC" messages={messages}>
      <Texts />
    </NextIntlClientProvider>
  )
}

function Texts() {
  const ours = useTranslations('counter')
  const other = useOther('words')
  return <h1>{\`\${other('things', { count: 2 })}, \${ours('clicks', { count: 2 })}\`}</h1>
}
`,
}

// Both use the same library, next-intl with a parser of messages, and our package without one.
describeModes('next-intl in the same app', { app: 'i18n', files: withNextIntl }, (served) => {
  test('has its own messages', async () => {
    const text = '2 Dinge, 2 Klicks'
    expect(await (await served.fetch('/de/both')).text()).toContain(text)
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/de/both')
    await hydrated(page)
    await heading(page, text).waitFor()
    expectQuietConsole()
  })
})

describeModes('messages in development', { app: 'i18n', modes: ['dev'] }, (served) => {
  test('change on the screen when their file changes', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/de')
    await hydrated(page)
    await page.getByRole('button').click()
    const file = join(served.app.root, 'messages/de.json')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('Guten Morgen', 'Guten Abend'))
    await heading(page, 'Guten Abend').waitFor()
    expect(await page.locator('output').textContent()).toBe('1 Klick')
    writeFileSync(file, text)
    await heading(page, 'Guten Morgen').waitFor()
  })
})

test('a static site has the translated paths', async () => {
  const config = readFileSync(join(e2eRoot, 'fixtures/i18n/vite.config.ts'), 'utf8')
    .replace('{ waymark }', '{ staticSite, waymark }')
    .replace('waymark()', 'waymark({ adapter: staticSite() })')
  const post = `export const generateStaticParams = () => [{ slug: 'hello' }]
export default () => <h1>Hello</h1>
`
  const files = { 'vite.config.ts': config, 'app/[locale]/posts/[slug]/page.tsx': post }
  const root = copyApp({ app: 'i18n', files })
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const { exitCode, output } = await runWaymark(['build'], root)
  expect(exitCode, output).toBe(0)
  const read = (file: string) => readFileSync(join(root, 'out', file), 'utf8')
  expect(read('de/ueber-uns/index.html')).toContain('<h1>Über uns</h1>')
  expect(read('de/beitraege/hello/index.html')).toContain('<html lang="de"')
})

test('a worker has the same URLs', async () => {
  const config = readFileSync(join(e2eRoot, 'fixtures/i18n/vite.config.ts'), 'utf8')
    .replace(
      'import { waymark }',
      "import { workerd } from '@waymark/cloudflare'\nimport { waymark }",
    )
    .replace('waymark()', 'waymark({ adapter: workerd() })')
  const root = await buildApp({ app: 'i18n', files: { 'vite.config.ts': config } })
  const server = await startWorkerd(root)
  onTestFinished(() => server.kill())
  const get = (path: string) => fetch(server.origin + path, { headers: german, redirect: 'manual' })
  const page = await get('/de/ueber-uns')
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<h1>Über uns</h1>')
  expect(await (await get('/de/beitraege/hallo')).text()).toContain('Beitrag hallo')
  for (const [path, status, location] of [
    ['/', 307, '/de'],
    ['/about', 307, '/de/ueber-uns'],
    ['/de/about', 308, '/de/ueber-uns'],
    ['/xx', 404, null],
  ] as const) {
    const response = await get(path)
    expect([response.status, response.headers.get('location')]).toEqual([status, location])
  }
})
