import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { serveFolder } from './harness/serveFolder.ts'

describeModes('an app with basePath', { app: 'basePath' }, (served) => {
  const locationOf = async (path: string, init?: RequestInit) => {
    const response = await served.fetch(path, init)
    return `${response.status} ${response.headers.get('location')}`
  }

  test('is served below its path, with everything that a page needs', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    const failed: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(response.url())
    })
    expect((await page.goto('/docs'))?.status()).toBe(200)
    await hydrated(page)
    expect(await page.locator('output').textContent()).toBe('/')
    const color = await page.locator('h1').evaluate((h1) => getComputedStyle(h1).color)
    expect(color).toBe('rgb(1, 2, 3)')
    const href = (name: string) => page.getByRole('link', { name }).getAttribute('href')
    expect(await href('Home')).toBe('/docs')
    expect(await href('Shop')).toBe('/docs/shop/a%20b')
    const icon = (await page.locator('link[rel=icon]').getAttribute('href')) ?? ''
    expect((await served.fetch(new URL(icon, served.app.origin).pathname)).status).toBe(200)
    const canonical = await page.locator('link[rel=canonical]').getAttribute('href')
    expect(new URL(canonical ?? '', served.app.origin).pathname).toBe('/docs')
    expect((await served.fetch('/docs/plain.svg')).status).toBe(200)
    expect(failed).toEqual([])
    expectQuietConsole()
  })

  test('navigates by links, router, forms, redirects and actions without a new document', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/docs')
    await hydrated(page)
    await page.evaluate(() => Object.assign(window, { mark: 1 }))
    const arrived = async (heading: string, path: string) => {
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
      await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe(path)
    }
    await page.getByRole('link', { name: 'About' }).click()
    await arrived('About 1', '/docs/about?a=1')
    expect(await page.locator('output:visible').textContent()).toBe('/about')
    await page.getByRole('button', { name: 'Push' }).click()
    await arrived('About pushed', '/docs/about?a=pushed')
    await page.getByRole('link', { name: 'Shop' }).click()
    await arrived('Shop a b', '/docs/shop/a%20b')
    await page.getByRole('link', { name: 'Home' }).click()
    await arrived('Home', '/docs')
    await page.getByRole('button', { name: 'Find' }).click()
    await arrived('About formed', '/docs/about?a=formed')
    await page.getByRole('link', { name: 'Moved' }).click()
    await arrived('About moved', '/docs/about?a=moved')
    await page.goBack()
    await arrived('About formed', '/docs/about?a=formed')
    expect(await page.evaluate(() => (window as { mark?: number }).mark)).toBe(1)
    await page.goto('/docs/called')
    await hydrated(page)
    await page.evaluate(() => Object.assign(window, { mark: 2 }))
    await page.getByRole('button', { name: 'Count' }).click()
    await arrived('Count 1', '/docs/called')
    await page.getByRole('button', { name: 'Leave' }).click()
    await arrived('About called', '/docs/about?a=called')
    expect(await page.evaluate(() => (window as { mark?: number }).mark)).toBe(2)
    await page.getByRole('link', { name: 'Outside' }).click()
    await page.waitForURL('**/docsx/other')
    expect(await page.evaluate(() => (window as { mark?: number }).mark)).toBeUndefined()
  })

  test.each([
    ['/docs/moved', '307 /docs/about?a=moved'],
    ['/docs/_waymark/data/moved.rsc', '307 /docs/_waymark/data/about.rsc?a=moved'],
    ['/docs/private', '307 /docs/about?a=proxied'],
    ['/docs/_waymark/data/private.rsc', '307 /docs/_waymark/data/about.rsc?a=proxied'],
    ['/docs/api?leave', '307 /docs/about'],
    ['/docs/api?away', '307 /docs/about'],
    ['/docs/', '308 /docs'],
    ['/docs/about/', '308 /docs/about'],
    ['/docs//evil.example', '308 /docs/evil.example'],
  ])('%s is redirected within the app', async (path, expected) => {
    expect(await locationOf(path)).toBe(expected)
  })

  test('a late redirect leads into the app even without scripts', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/docs/late', { waitUntil: 'commit' })
    await page.waitForURL('**/docs/about?a=late')
  })

  test('a document that waited has the address of its page', async () => {
    const whole = '/docs/called?b=2&waymark-whole=1'
    const { headers } = await served.fetch(whole)
    expect(headers.get('link')).toBe('</docs/called?b=2>; rel="canonical"')
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto(whole)
    await hydrated(page)
    expect(page.url()).toBe(served.url('/docs/called?b=2'))
    expectQuietConsole()
  })

  test('leaves absolute URLs of its host unchanged', async () => {
    const { status, headers } = await served.fetch('/docs/away')
    expect([status, headers.get('location')]).toEqual([302, `${served.app.origin}/docsx`])
    expect((await served.fetch('/docs/_waymark/data/away.rsc')).headers.has('location')).toBe(false)
    expect(await (await served.fetch('/docs/api')).json()).toEqual({ pathname: '/docs/api' })
    for (const path of ['/docs/written', '/docs/whole'])
      expect(await (await served.fetch(path)).text()).toContain('<h1>About')
  })

  test.each([
    '/',
    '/about',
    '/plain.svg',
    '/docsx',
    '/docsabout',
    '/DOCS',
    '/%64ocsx/about',
    '/_waymark/data/about.rsc',
    '/_waymark/errors',
  ])('%s is not part of the app', async (path) => {
    const response = await served.fetch(path, { headers: { accept: 'text/html' } })
    expect([response.status, response.headers.get('location')]).toEqual([404, null])
    expect(await response.text()).toContain('href="/docs"')
  })
})

const cdn = 'https://cdn.test'
const files = {
  'vite.config.ts': `import { defineConfig } from 'vite'
import { waymark } from 'waymark/vite'

export default defineConfig({
  plugins: [waymark({ basePath: '/docs', assetPrefix: '${cdn}', security: { csp: true } })],
})
`,
}

describeModes(
  'an app with assetPrefix',
  { app: 'basePath', files, modes: ['production'] },
  (served) => {
    test('loads its assets from there, with its policy and their hashes', async () => {
      const { page, expectQuietConsole } = await openPage(served.app)
      const assetUrls: string[] = []
      page.on('request', (request) => {
        if (request.url().startsWith(`${served.app.origin}/docs/_waymark/assets/`))
          assetUrls.push(request.url())
      })
      await page.route(`${cdn}/**`, (route) => {
        const path = join(
          served.app.root,
          '.waymark/client',
          new URL(route.request().url()).pathname,
        )
        return route.fulfill({ path, headers: { 'access-control-allow-origin': '*' } })
      })
      await page.goto('/docs')
      await hydrated(page)
      const color = await page.locator('h1').evaluate((h1) => getComputedStyle(h1).color)
      expect(color).toBe('rgb(1, 2, 3)')
      await page.getByRole('link', { name: 'About' }).click()
      await page.getByRole('heading', { name: 'About 1' }).waitFor()
      expect(await page.locator(`link[href^="${cdn}/"][integrity]`).count()).toBeGreaterThan(0)
      expect(assetUrls).toEqual([])
      expectQuietConsole()
    })
  },
)

describe('a static folder with basePath', () => {
  test('works with any file server at its path', async () => {
    const root = copyApp({ app: 'basePath' })
    const built = await runWaymark(['build'], root, { TARGET: 'static' })
    expect(built.exitCode, built.output).toBe(0)
    const server = await serveFolder(join(root, 'out'), '/docs')
    try {
      const { page } = await openPage(server)
      await page.goto('/docs')
      await hydrated(page)
      await page.evaluate(() => Object.assign(window, { mark: 1 }))
      await page.getByRole('link', { name: 'Shop' }).click()
      await page.getByRole('heading', { name: 'Shop a b' }).waitFor()
      await page.getByRole('link', { name: 'About' }).click()
      await page.getByRole('heading', { name: 'About 1' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/docs/about')
      expect(await page.evaluate(() => (window as { mark?: number }).mark)).toBe(1)
      await page.goto('/docs/moved')
      await page.getByRole('heading', { name: 'About moved' }).waitFor()
    } finally {
      server.close()
      rmSync(root, { recursive: true, force: true })
    }
  })
})
