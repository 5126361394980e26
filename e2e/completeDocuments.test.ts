import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyApp } from './harness/appFolder.ts'
import { runWaymark } from './harness/commandLine.ts'
import { describeApp, describeModes } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'

/** Matches incomplete content in a document, which a script would have to move into place. */
const pending = /<div hidden|<!--\$\?-->|role="status"/

const crawler = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }

describeModes('complete documents', { app: 'rootLayouts', modes: ['production'] }, (served) => {
  test.each([
    ['/static', '<b>All maps</b>'],
    ['/static/large', 'Product number 899'],
  ])('%s is completely prerendered, including client components', async (path, text) => {
    const html = await (await served.fetch(path)).text()
    expect(html.slice(0, html.indexOf('</main>'))).toContain(text)
    expect(html).not.toMatch(pending)
  })

  test('a page that was rendered again is complete, too', async () => {
    const first = await served.fetch('/static')
    await new Promise((resolve) => setTimeout(resolve, 1100))
    await served.fetch('/static')
    await expect.poll(async () => (await served.fetch('/static')).headers.get('etag')).toBeTruthy()
    const html = await (await served.fetch('/static')).text()
    expect(first.status).toBe(200)
    expect(html).toContain('<b>All maps</b>')
    expect(html).not.toMatch(pending)
  })

  test('a page without JavaScript shows its content', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/static')
    expect(await page.locator('b').isVisible()).toBe(true)
    expect(await page.getByRole('status').count()).toBe(0)
  })
})

describeApp('complete documents for crawlers', { app: 'rootLayouts' }, (served) => {
  test('contain the content that the page waits for', async () => {
    const html = await (await served.fetch('/live', { headers: crawler })).text()
    expect(html).toContain('<b>of today</b>')
    expect(html).not.toMatch(pending)
  })
})

describe('complete documents of a static folder', () => {
  let root = ''
  beforeAll(async () => {
    root = copyApp({ app: 'rootLayouts' })
    const built = await runWaymark(['build'], root, { TARGET: 'static' })
    expect(built.exitCode, built.output).toBe(0)
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  test.each(['static', 'static/large'])('%s', (path) => {
    const html = readFileSync(join(root, 'out', path, 'index.html'), 'utf8')
    expect(html).not.toMatch(pending)
    expect(html).toContain('</main>')
  })
})
