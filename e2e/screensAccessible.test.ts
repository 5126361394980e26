import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations } from './harness/axe.ts'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

const screens = [
  ['not found', '/page/not-found', 404],
  ['forbidden', '/page/forbidden', 403],
  ['unauthorized', '/page/unauthorized', 401],
  ['bad request', '/%zz', 400],
  ['server error', '/page/throw', 500],
  ['unmatched', '/no/such/page', 404],
  ['late', '/late/not-found', 200],
] as const

/** Blocks all scripts of the page, as a policy that a proxy adds might do. */
async function blockScripts(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    const response = await route.fetch({ maxRedirects: 0 })
    const headers = { ...response.headers(), 'content-security-policy': "script-src 'none'" }
    await route.fulfill({ response, headers })
  })
}

describeModes('built-in screens', { app: 'errors', modes: ['production'] }, (served) => {
  test.each(['light', 'dark'] as const)('have no findings of axe, %s', async (colorScheme) => {
    for (const width of [360, 1280]) {
      for (const isBlocked of [false, true]) {
        const viewport = { width, height: 800 }
        const { page } = await openPage(served.app, { colorScheme, viewport })
        if (isBlocked) await blockScripts(page)
        for (const [name, path, status] of screens) {
          // Skip late screens without scripts, because React needs a script to insert late content.
          if (isBlocked && name === 'late') continue
          const named = `${name}, ${width} px, scripts ${isBlocked ? 'blocked' : 'run'}`
          const response = await page.goto(path)
          expect(response?.status(), named).toBe(status)
          const screen = page.locator('.waymark-screen')
          await screen.waitFor()
          expect(await screen.getByRole('heading').isVisible(), named).toBe(true)
          const wide = await page.evaluate(() => document.documentElement.scrollWidth)
          expect(wide, named).toBeLessThanOrEqual(width)
          // The screen must be the main landmark. The router makes sure of this, because the
          // fixture's layout has no <main>.
          if (!isBlocked)
            await expect.poll(() => page.getByRole('main').count(), { message: named }).toBe(1)
          const issues = await violations(page)
          expect(
            isBlocked ? issues.filter((each) => !/^(region|landmark)/.test(each)) : issues,
            named,
          ).toEqual([])
        }
        if (isBlocked) continue
        await page.goto('/browser')
        await hydrated(page)
        await page.getByRole('button', { name: 'Render' }).click()
        await page.getByText('Application error: a client-side').waitFor()
        expect(await violations(page)).toEqual([])
      }
    }
  })

  test('have controls that work without scripts, and are large enough for a finger', async () => {
    const viewport = { width: 360, height: 640 }
    const { page } = await openPage(served.app, { javaScriptEnabled: false, viewport })
    await page.goto('/page/throw?attempt=1')
    const reload = page.getByRole('link', { name: 'Reload' })
    const box = await reload.boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
    const before = await page.locator('.waymark-screen-digest').textContent()
    await reload.click()
    expect(page.url()).toBe(served.url('/page/throw?attempt=1'))
    expect(await page.locator('.waymark-screen-digest').textContent()).not.toBe(before)
    expect(await page.getByRole('button', { name: 'Back' }).isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Home' }).click()
    expect(page.url()).toBe(served.url('/'))
  })

  test('leave the main landmark to a layout that has one', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/landing')
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        const main = document.createElement('main')
        main.textContent = 'Of the layout'
        document.body.append(main)
      })
    })
    await page.goto('/page/not-found')
    await page.getByRole('link', { name: 'Home' }).waitFor()
    // Wait until the router has loaded, because only the router could wrongly add a second main
    // landmark.
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('main').allTextContents()).toEqual(['Of the layout'])
  })

  test('have a Back button if there is a previous page', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/landing')
    await page.goto('/page/forbidden')
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('heading', { name: 'Landed' }).waitFor()
  })
})

describeModes(
  'a refused request',
  {
    app: 'errors',
    modes: ['production'],
    files: {
      'app/global-error.tsx': `'use client'
export default function GlobalError() { throw new Error('broken, too') }
`,
      'app/layout.tsx': `export default async function Layout() { throw new Error('broken') }
export const dynamic = 'force-dynamic'
`,
    },
  },
  (served) => {
    test('has a complete screen if the renderer is broken, with scripts or without', async () => {
      for (const javaScriptEnabled of [true, false]) {
        const { page } = await openPage(served.app, { javaScriptEnabled, colorScheme: 'dark' })
        const response = await page.goto('/')
        expect(response?.status()).toBe(500)
        expect(await page.getByRole('heading').isVisible()).toBe(true)
        expect(await page.title()).toContain('server-side exception')
        if (javaScriptEnabled) expect(await violations(page)).toEqual([])
      }
    })
  },
)
