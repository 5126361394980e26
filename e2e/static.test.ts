import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { openPage } from './harness/page.ts'
import { serveFolder } from './harness/serveFolder.ts'

describe('a static folder', () => {
  let root = ''
  let site: { origin: string; close(): void } | null = null
  const origin = () => site?.origin ?? ''

  beforeAll(async () => {
    root = copyApp({ app: 'cli' })
    const usual = readFileSync(join(root, 'vite.config.ts'), 'utf8')
    const configuration = (adapter: string) =>
      writeFileSync(
        join(root, 'vite.config.ts'),
        usual.replace('{ adapter }', `{ adapter: ${adapter} }`),
      )
    configuration('staticSite()')
    const refused = await runWaymark(['build'], root)
    expect(refused.exitCode).toBe(1)
    expect(refused.output).toContain("These can't: /account (uses cookies()).")
    expect(existsSync(join(root, 'public_html'))).toBe(false)
    configuration("staticSite({ out: 'public_html', allowMissing: true })")
    const built = await runWaymark(['build'], root)
    expect(built.exitCode, built.output).toBe(0)
    expect(built.output).toContain(
      'Left out: /account (uses cookies())\nThe static files are in public_html\n',
    )
    site = await serveFolder(join(root, 'public_html'))
  })
  afterAll(() => {
    site?.close()
    rmSync(root, { recursive: true, force: true })
  })

  test('has a document for each URL, files, and a 404 document', () => {
    const names = [
      'index.html',
      'blog/first/index.html',
      'blog/zweiter größer/index.html',
      'old/index.html',
      'feed.xml',
      'robots.txt',
      '404.html',
    ]
    for (const name of names) expect(existsSync(join(root, 'public_html', name)), name).toBe(true)
    expect(existsSync(join(root, 'public_html/account'))).toBe(false)
  })

  test('supports navigation on any file server', async () => {
    const { page, expectQuietConsole } = await openPage({ origin: origin() })
    let documents = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents++
    })
    await page.goto('/')
    await page.evaluate(() => {
      ;(window as { mark?: number }).mark = 1
    })
    await page.getByRole('link', { name: 'First post' }).click()
    await expect.poll(() => page.locator('h1:visible').textContent()).toBe('Post first')
    expect(new URL(page.url()).pathname).toBe('/blog/first')
    await page.getByRole('link', { name: 'Home' }).click()
    await expect.poll(() => page.locator('h1:visible').textContent()).toBe('Home')
    expect(await page.evaluate(() => (window as { mark?: number }).mark)).toBe(1)
    expect(documents).toBe(1)
    expectQuietConsole()
  })

  test('redirects with its documents', async () => {
    const { page } = await openPage({ origin: origin() })
    await page.goto('/old')
    await expect.poll(() => page.locator('h1:visible').textContent()).toBe('Post first')
  })

  test('shows the app’s own screen for unknown URLs', async () => {
    const { page } = await openPage({ origin: origin() })
    const response = await page.goto('/nowhere/at/all')
    expect(response?.status()).toBe(404)
    expect(await page.locator('body').textContent()).toContain('404')
  })
})
