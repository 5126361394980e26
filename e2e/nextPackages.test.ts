import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeModes, type Served } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { hydratedElement, openPage } from './harness/page.ts'

const env = {
  AUTH_SECRET: 'a secret of thirty-two characters',
  BETTER_AUTH_SECRET: 'another secret of thirty-two characters',
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

async function visit(served: Served, path: string) {
  const visited = await openPage(served.app)
  const { page } = visited
  const scripts: string[] = []
  // Replace the scripts of external services, which tests can't load.
  await page.route(/googletagmanager|\/_vercel\/|va\.vercel-scripts/, (route) => {
    scripts.push(route.request().url())
    return route.fulfill({ contentType: 'text/javascript', body: '' })
  })
  await page.goto(path)
  await hydrated(page)
  // Wait for the last button, because React hydrates the page later than the layout: the layout's
  // packages have boundaries around the page.
  await hydratedElement(page.getByRole('button').last())
  return { ...visited, scripts }
}

async function cookieOf(page: Page, name: RegExp) {
  const cookies = await page.context().cookies()
  return cookies.find((cookie) => name.test(cookie.name))
}

const manifest = readFileSync(
  new URL('fixtures/nextPackages/package.json', import.meta.url),
  'utf8',
)

/** A CommonJS package without dependencies. Its server entry requires the package's other files. */
const files = {
  'package.json': manifest.replace('"geist"', '"common-parts": "*", $&'),
  'node_modules/common-parts/package.json':
    '{ "name": "common-parts", "version": "1.0.0", "peerDependencies": { "react": "*" } }',
  'node_modules/common-parts/index.js':
    "exports.Start = require('./start').Start; exports.Label = require('./label').default",
  'node_modules/common-parts/start.js': `'use client'
    const { createElement, useState } = require('react')
    exports.Start = () => {
      const [count, setCount] = useState(4)
      return createElement('button', { onClick: () => setCount(count + 1) }, 'Parts: ', count)
    }`,
  'node_modules/common-parts/label.js': `'use client'
    exports.__esModule = true
    exports.default = () => require('react').createElement('h1', null, 'Label')`,
  'app/[locale]/parts/page.tsx': `import { Label, Start } from 'common-parts'
    export default function Page() {
      return <main><Label /><Start /></main>
    }`,
}

const app = { app: 'nextPackages', env, files } as const

describeModes('packages of App Router apps', app, (served) => {
  test('next-auth and next-safe-action: sign in and out, and guard a page', async () => {
    const away = await served.fetch('/members')
    expect([away.status, away.headers.get('location')]).toEqual([307, '/login'])
    const { page, expectQuietConsole } = await visit(served, '/members')
    const send = async (name: string, password: string) => {
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    const session = () => cookieOf(page, /^authjs\.session-token$/)
    await send('a', 'wrong')
    await page.getByText('At least 2 letters').waitFor()
    await send('ada', 'wrong')
    await page.getByText('Refused: CredentialsSignin').waitFor()
    expect(await session()).toBe(undefined)
    await send('ada', 'right horse')
    await heading(page, 'Members: ada').waitFor()
    expect(await session()).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Welcome').waitFor()
    expect(await session()).toBe(undefined)
    await page.goBack()
    await heading(page, 'Sign in').waitFor()
    expect(await page.getByText('Members: ada').count()).toBe(0)
    expectQuietConsole()
  })

  test('better-auth: sign up, wrong password, sign out by an action', async () => {
    const { page, expectQuietConsole } = await visit(served, '/account')
    const session = () => cookieOf(page, /better-auth\.session_token$/)
    await heading(page, 'Account: nobody').waitFor()
    await page.getByRole('button', { name: 'Create' }).click()
    await heading(page, 'Account: Ada').waitFor()
    await page.getByRole('status').getByText('Ada').waitFor()
    expect(await session()).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    await page.getByRole('button', { name: 'Leave' }).click()
    await heading(page, 'Account: nobody').waitFor()
    expect(await session()).toBe(undefined)
    await page.getByRole('button', { name: 'Guess' }).click()
    await page.getByText('Invalid email or password').waitFor()
    expect(await session()).toBe(undefined)
    expectQuietConsole([/401/])
  })

  test('nuqs and next-intl: typed search params, another language', async () => {
    const { page, expectQuietConsole } = await visit(served, '/search?page=2')
    await heading(page, 'Server: 2 new').waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await heading(page, 'Browser: 3 new').waitFor()
    await page.waitForURL('**/search?page=3')
    expect(await heading(page, 'Server: 2 new').count()).toBe(1)
    await page.getByRole('button', { name: 'Old' }).click()
    await heading(page, 'Server: 3 old').waitFor()
    expect(new URL(page.url()).search).toBe('?page=3&sort=old')
    await page.getByRole('link', { name: 'Home' }).click()
    await heading(page, 'Welcome').waitFor()
    await page.getByText('3 visits').waitFor()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await heading(page, 'Willkommen').waitFor()
    expect(new URL(page.url()).pathname).toBe('/de')
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    expect(await cookieOf(page, /^NEXT_LOCALE$/)).toMatchObject({ value: 'de' })
    await page.getByRole('link', { name: 'English' }).click()
    await heading(page, 'Welcome').waitFor()
    const german = await served.fetch('/', { headers: { 'accept-language': 'de' } })
    expect([german.status, german.headers.get('location')]).toEqual([307, '/de'])
    expectQuietConsole()
  })

  test('react-query: streams each query once', async () => {
    const html = await (await served.fetch('/streamed')).text()
    expect(html).toContain('Waited for <!-- -->the server')
    const { page, expectQuietConsole } = await openPage(served.app)
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.route(/googletagmanager|\/_vercel\/|va\.vercel-scripts/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    )
    await page.goto('/streamed')
    await hydrated(page)
    await page.getByText('Waited for the server').waitFor()
    expect(requests).not.toContain('/api/wait')
    expectQuietConsole()
  })

  test('client components in CommonJS that CommonJS for servers requires', async () => {
    const { page, expectQuietConsole } = await visit(served, '/parts')
    await heading(page, 'Label').waitFor()
    await page.getByRole('button', { name: 'Parts: 4' }).click()
    await page.getByRole('button', { name: 'Parts: 5' }).waitFor()
    expectQuietConsole()
  })

  test('next-themes, geist, analytics, loaders and transitions', async () => {
    const { page, scripts, expectQuietConsole } = await visit(served, '/')
    const theme = () => page.locator('html').getAttribute('data-own-theme')
    await page.getByRole('button', { name: 'Dark' }).click()
    await expect.poll(theme).toBe('dark')
    await page.addInitScript(() => {
      document.addEventListener('readystatechange', () => {
        const { state } = window as { state?: unknown }
        Object.assign(window, { state: state ?? document.documentElement.dataset.ownTheme })
      })
      const start = document.startViewTransition.bind(document)
      document.startViewTransition = (update) => {
        Object.assign(window, { transitions: true })
        return start(update as () => void)
      }
    })
    await page.reload()
    await hydrated(page)
    // At the first `readystatechange`, only the scripts in the HTML have run, so one of them must
    // have set the theme.
    expect(await page.evaluate(() => (window as { state?: unknown }).state)).toBe('dark')
    const fonts = () =>
      page.evaluate(() =>
        [...document.fonts].some(
          ({ family, status }) => /geist/i.test(family) && status === 'loaded',
        ),
      )
    await expect.poll(fonts).toBe(true)
    const family = await page.locator('body').evaluate((body) => getComputedStyle(body).fontFamily)
    expect(family).toMatch(/geist/i)
    await expect.poll(() => scripts.some((url) => /gtag\/js\?id=G-TEST/.test(url))).toBe(true)
    await expect.poll(() => scripts.some((url) => /vercel/.test(url))).toBe(true)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/_waymark/data/search.rsc*', async (route) => {
      await released
      await route.continue()
    })
    await page.getByRole('link', { name: 'Search' }).click()
    await page.locator('#nprogress .bar').waitFor()
    release()
    await heading(page, 'Server: 1 new').waitFor()
    await page.locator('#nprogress').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Streamed' }).click()
    await heading(page, 'Streamed').waitFor()
    expect(await page.evaluate(() => (window as { transitions?: boolean }).transitions)).toBe(true)
    await page.getByText('Waited for the server').waitFor()
    expectQuietConsole()
  })
})
