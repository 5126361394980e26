import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp, describeModes } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'

const ready = (page: Page) => page.locator('[data-hydrated=true]').first().waitFor()
const choose = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click()

const configured = (theme: string) => `
  import { defineConfig } from 'vite'
  import { waymark } from 'waymark/vite'
  export default defineConfig({ plugins: [waymark({ theme: ${theme} })] })`

const richSettings = configured(`{
  storageKey: 'app.theme',
  attribute: ['class', 'data-mode'],
  themes: { sepia: 'light' },
  themeColors: { light: '#fff0c8', dark: '#141e3c', sepia: '#c8a06e' },
}`)

describeApp(
  'more themes, classes and colours',
  { app: 'theme', files: { 'vite.config.ts': richSettings } },
  (served) => {
    const themeOf = (page: Page) =>
      page.evaluate(() => {
        const { className, dataset, style } = document.documentElement
        const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')]
        return {
          className,
          mode: dataset.mode,
          scheme: style.colorScheme,
          colors: [...new Set(metas.map((meta) => meta.content))],
        }
      })

    test('are set before hydration and after it, even on a screen', async () => {
      const { page, expectQuietConsole } = await openPage(served.app)
      const sepia = { className: 'app sepia', mode: 'sepia', scheme: 'light', colors: ['#c8a06e'] }
      await page.goto('/')
      await ready(page)
      await choose(page, 'sepia')
      expect(await page.locator('#theme').textContent()).toBe('sepia → sepia')
      expect(await themeOf(page)).toEqual(sepia)
      expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({ 'app.theme': 'sepia' })
      for (const path of ['/', '/dynamic', '/nowhere']) {
        await page.goto(path, { waitUntil: 'commit' })
        await page.locator('html.sepia').waitFor()
        await ready(page)
        expect(await themeOf(page), path).toEqual(sepia)
      }
      await page.route('**/dynamic', (route) => route.continue({ method: 'PUT' }))
      await page.goto('/dynamic')
      expect(await themeOf(page)).toEqual({ ...sepia, className: 'sepia' })
      await page.goto('/')
      await ready(page)
      await choose(page, 'dark')
      expect(await themeOf(page)).toEqual({
        className: 'app dark',
        mode: 'dark',
        scheme: 'dark',
        colors: ['#141e3c'],
      })
      expectQuietConsole([/Failed to load resource/])
    })

    test('stay when React renders the document again', async () => {
      const { page, expectQuietConsole } = await openPage(served.app, { colorScheme: 'dark' })
      await page.goto('/')
      await ready(page)
      // Set the state that <html> has after React has failed to hydrate.
      const seen = await page.evaluate(async () => {
        const html = document.documentElement
        for (const { name } of [...html.attributes]) html.removeAttribute(name)
        html.className = 'app'
        await new Promise(requestAnimationFrame)
        return [html.className, html.dataset.mode, html.style.colorScheme]
      })
      expect(seen).toEqual(['app dark', 'dark', 'dark'])
      expectQuietConsole()
    })

    if (served.mode === 'production') {
      test('need only one hash in a Content-Security-Policy', async () => {
        const [, text = ''] =
          (await (await served.fetch('/')).text()).match(
            /<script data-waymark-theme=[^>]*>([^<]*)<\/script>/,
          ) ?? []
        const hash = createHash('sha256').update(text).digest('base64')
        const policy = `script-src 'self' 'sha256-${hash}'; style-src 'self' 'unsafe-inline'`
        const { page } = await openPage(served.app, { colorScheme: 'dark' })
        await page.route('**/*', async (route) => {
          if (!route.request().isNavigationRequest()) return route.continue()
          const response = await route.fetch()
          const headers = { ...response.headers(), 'content-security-policy': policy }
          return route.fulfill({ response, headers })
        })
        for (const path of ['/', '/night', '/night/day', '/nowhere']) {
          await page.goto(path)
          expect((await themeOf(page)).mode, path).toBe(path === '/night/day' ? 'light' : 'dark')
        }
      })
    }

    test('set the colour of the system’s theme without JavaScript', async () => {
      const html = await (await served.fetch('/')).text()
      for (const [scheme, color] of [
        ['light', '#fff0c8'],
        ['dark', '#141e3c'],
      ]) {
        expect(html).toContain(
          `<meta name="theme-color" content="${color}" media="(prefers-color-scheme:${scheme})">`,
        )
      }
    })
  },
)

const cookieLayout = `
  import { themeHtmlProps, themePreference } from 'waymark/server'
  import './theme.css'
  import { Refresh } from './parts/refresh.tsx'
  import { ThemeProbe } from './parts/probe.tsx'
  export default async function RootLayout({ children }) {
    return (
      <html lang="en" {...await themeHtmlProps()}>
        <body><p>Cookie: {await themePreference()}</p><Refresh /><ThemeProbe />{children}</body>
      </html>
    )
  }`

const refresh = `
  'use client'
  import { useRouter } from 'waymark/client'
  export function Refresh() {
    const router = useRouter()
    return <button type="button" onClick={() => router.refresh()}>Refresh</button>
  }`

const choicePage = `
  import { themePreference } from 'waymark/server'
  export default async function ChoicePage() {
    return <h1>The server knows: {await themePreference()}</h1>
  }`

describeApp(
  'the theme cookie',
  {
    app: 'theme',
    files: {
      'vite.config.ts': configured(`{ cookie: true, themes: { sepia: 'light' } }`),
      'app/layout.tsx': cookieLayout,
      'app/parts/refresh.tsx': refresh,
      'app/choice/page.tsx': choicePage,
    },
  },
  (served) => {
    const choiceOf = async (cookie: string) => {
      const html = await (await served.fetch('/choice', { headers: { cookie } })).text()
      const [, choice] = html.match(/The server knows: (?:<!-- -->)?([^<]*)</) ?? []
      return { tag: html.match(/<html[^>]*>/)?.[0], choice }
    }

    test.for([
      ['theme=dark', 'dark', '<html lang="en" data-theme="dark">'],
      ['theme=sepia', 'sepia', '<html lang="en" data-theme="sepia">'],
      ['theme=system', 'system', '<html lang="en">'],
      ['', 'system', '<html lang="en">'],
      ['theme=purple', 'system', '<html lang="en">'],
      ['theme=%22%3E%3Cscript%3E', 'system', '<html lang="en">'],
      ['theme="><script>', 'system', '<html lang="en">'],
      ['theme=__proto__', 'system', '<html lang="en">'],
    ] as const)('%s is the choice %s', async ([cookie, choice, tag]) => {
      expect(await choiceOf(cookie)).toEqual({ choice, tag })
    })

    test('follows the choice, and pages have the theme without any script', async () => {
      const { page, expectQuietConsole } = await openPage(served.app, { colorScheme: 'light' })
      await page.goto('/choice')
      await ready(page)
      await choose(page, 'dark')
      const [cookie] = await page.context().cookies()
      expect(cookie).toMatchObject({ name: 'theme', value: 'dark', sameSite: 'Lax', path: '/' })
      await page.reload()
      await page.getByRole('heading', { name: 'The server knows: dark' }).waitFor()
      await ready(page)
      const state = await page.context().storageState()
      const bare = await openPage(served.app, { javaScriptEnabled: false, storageState: state })
      await bare.page.goto('/choice')
      expect(await bare.page.locator('html').getAttribute('data-theme')).toBe('dark')
      expectQuietConsole()
      bare.expectQuietConsole()
    })

    test('that is older than the stored choice is ignored, in the first frame and later', async () => {
      const { page, expectQuietConsole } = await openPage(served.app, { colorScheme: 'dark' })
      await page.goto('/start')
      await page.evaluate(() => localStorage.setItem('theme', 'light'))
      await page.context().addCookies([{ name: 'theme', value: 'dark', url: served.app.origin }])
      await page.goto('/choice')
      expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
      await ready(page)
      expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
      expect((await page.context().cookies())[0]?.value).toBe('light')
      expectQuietConsole()
    })

    test('does not override a theme that the route forces', async () => {
      const { page, expectQuietConsole } = await openPage(served.app)
      const theme = () => page.locator('html').getAttribute('data-theme')
      await page.goto('/night')
      await ready(page)
      await choose(page, 'light')
      for (const name of ['sepia', 'light']) {
        await choose(page, name)
        await page.getByRole('button', { name: 'Refresh' }).click()
        await page.getByText(`Cookie: ${name}`).waitFor()
        expect(await theme()).toBe('dark')
      }
      expectQuietConsole()
    })

    if (served.mode === 'production') {
      test('makes its pages dynamic, and the build says so', () => {
        const file = join(served.app.root, '.waymark/build.json')
        const { routes } = JSON.parse(readFileSync(file, 'utf8'))
        const route = routes.find(({ pattern }: { pattern: string }) => pattern === '/choice')
        expect(route.rendering.kind).toBe('dynamic')
        expect(route.rendering.reason).toMatch(/cookies\(\) in theme\w+\(\)/)
      })
    }
  },
)

describeModes(
  'a theme cookie that is not configured',
  { app: 'theme', files: { 'app/choice/page.tsx': choicePage }, modes: ['dev'] },
  (served) => {
    test('is an error with a fix', async () => {
      expect((await served.fetch('/choice')).status).toBe(500)
      await expect.poll(served.app.logs).toContain('Set theme.cookie to true')
    })
  },
)
