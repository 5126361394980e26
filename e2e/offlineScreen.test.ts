import { expect, test } from 'vitest'
import {
  ageLine,
  cachedPaths,
  see,
  seeAndLeave,
  startOfflineApp,
  untilCached,
} from './harness/offlineApp.ts'
import { openPage } from './harness/page.ts'
import { heading } from './harness/visit.ts'

test('a page that is not cached leads to a screen that lists the cached pages', async () => {
  const app = await startOfflineApp()
  const { page, expectQuietConsole } = await openPage(app)
  await see(page, '/read')
  await app.end()
  const response = await page.goto('/unseen')
  expect(response?.status()).toBe(503)
  await heading(page, "You're offline").waitFor()
  expect(await page.title()).toBe('No connection')
  await page
    .getByText(/^As of \d/)
    .first()
    .waitFor()
  expect(await page.getByRole('link').allTextContents()).toContain('Read | Offline')
  // Store the theme that the user has chosen in the app.
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
  await page.reload()
  await heading(page, "You're offline").waitFor()
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  expect(await scheme()).toBe('dark')
  await page.getByRole('link', { name: 'Read | Offline' }).click()
  await heading(page, 'Read').waitFor()
  await ageLine(page).waitFor()
  expectQuietConsole([/net::ERR_/, /status of 503/])

  await page.goto('/unseen')
  await app.again()
  await heading(page, 'Unseen').waitFor()
})

test('the screen has its texts if the cache can’t be read', async () => {
  const app = await startOfflineApp()
  const { page } = await openPage(app)
  await see(page, '/read')
  await page.evaluate(async () => {
    const [name = ''] = await caches.keys()
    const broken = new Response('', { headers: { 'waymark-saved': '{' } })
    await (await caches.open(name)).put('/other', broken)
  })
  await app.end()
  await page.goto('/unseen')
  await heading(page, "You're offline").waitFor()
  await app.again()
  await heading(page, 'Unseen').waitFor()
})

test('a click leads there, too, if the browser knows that it is offline', async () => {
  const app = await startOfflineApp()
  const { page } = await openPage(app)
  await seeAndLeave(page, '/write')
  await app.end()
  await page.context().setOffline(true)
  // Text that was typed into a cached page must not be lost.
  await page.getByRole('link', { name: '/write' }).click()
  const field = page.getByRole('textbox', { name: 'Text' })
  await field.fill('typed')
  await page.getByRole('link', { name: '/unseen' }).click()
  await page.getByText("You're offline. The page will load").first().waitFor()
  expect(await field.inputValue()).toBe('typed')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await field.fill('')
  await page.getByRole('link', { name: '/unseen' }).click()
  await heading(page, "You're offline").waitFor()
})

const mounted = {
  'vite.config.ts': `import { offline } from '@waymark/offline/vite'
import { waymark } from 'waymark/vite'
export default {
  plugins: [waymark({
    basePath: '/docs',
    trailingSlash: true,
    security: { csp: true },
  }), offline({ precache: ['/later'], screen: '/away' })],
}
`,
  'screens.ts': `import type { Screens } from 'waymark/server'
const offline = {
  page: { asOf: 'Stand {time}. Keine Verbindung.', savedAsOf: 'Stand {time}' },
}
export const texts: Screens['texts'] = { de: { packages: { '@waymark/offline': offline } } }
export const defaultLanguage = 'de'
`,
  'app/layout.tsx': `import type { ReactNode } from 'react'
import { Link } from 'waymark'
export default ({ children }: { children: ReactNode }) => (
  <html lang="de">
    <body>
      <Link href="/read" prefetch={false}>Lesen</Link>
      <main>{children}</main>
    </body>
  </html>
)
`,
}

test('the screen can be a page of the app, below a path, with slashes, a policy and other texts', async () => {
  const app = await startOfflineApp(mounted)
  const { page, expectQuietConsole } = await openPage(app)
  await see(page, '/docs/read/')
  await untilCached(page, '/docs/later/')
  await app.end()
  await page.goto('/docs/unseen/')
  await heading(page, 'Away').waitFor()
  await page.getByText('From network, now').waitFor()
  await expect.poll(() => page.getByRole('listitem').count()).toBe(2)
  await page
    .getByText(/^Stand \d/)
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Lesen' }).click()
  await heading(page, 'Read').waitFor()
  await page
    .getByText(/^Stand .* Keine Verbindung\.$/)
    .first()
    .waitFor()
  await page.goto('/docs/later/')
  await heading(page, 'Later').waitFor()
  await page.getByRole('button', { name: 'Counted 0' }).click()
  await page.getByRole('button', { name: 'Counted 1' }).waitFor()
  expectQuietConsole([/net::ERR_/, /status of 503/])
  expect(await cachedPaths(page)).toEqual(['/docs/away/', '/docs/later/', '/docs/read/'])
})

test('the page at a base path opens, and caches of an app at another path stay', async () => {
  const app = await startOfflineApp({
    'vite.config.ts': `import { offline } from '@waymark/offline/vite'
import { waymark } from 'waymark/vite'
export default { plugins: [waymark({ basePath: '/docs' }), offline()] }
`,
  })
  const { page } = await openPage(app)
  await page.goto('/docs/manifest.webmanifest')
  const others = ['waymark-offline%2Fother/b', 'waymark-offline/b', 'waymark-offline/b/seal']
  await page.evaluate((names) => Promise.all(names.map((name) => caches.open(name))), others)
  await see(page, '/docs')
  await see(page, '/docs/read')
  await app.end()
  await page.goto('/docs')
  await heading(page, 'Home').waitFor()
  await ageLine(page).waitFor()
  await page.goto('/docs/unseen')
  await heading(page, "You're offline").waitFor()
  await expect.poll(() => page.getByRole('listitem').count()).toBe(2)
  expect(await page.evaluate(() => caches.keys())).toEqual(expect.arrayContaining(others))
  // The offline screen must not appear at URLs outside the app.
  await expect(page.goto('/docsx')).rejects.toThrow('net::ERR_')
})

test('the app can be installed, and starts from the home screen without a network', async () => {
  const app = await startOfflineApp()
  const { page } = await openPage(app)
  await see(page, '/')
  const session = await page.context().newCDPSession(page)
  const { errors } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual([])
  const manifest = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
    return (await fetch(link?.href ?? '')).json()
  })
  expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' })
  expect(manifest.icons.map(({ sizes }: { sizes: string }) => sizes)).toEqual([
    '192x192',
    '512x512',
  ])
  await app.end()
  const started = await page.context().newPage()
  await started.goto(manifest.start_url)
  await heading(started, 'Home').waitFor()
})
