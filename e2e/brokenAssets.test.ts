import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import type { Fault, ProxiedRequest } from './harness/faults/fault.ts'
import { proxyBefore } from './harness/faults/proxyBefore.ts'
import { openPage } from './harness/page.ts'
import { shortTimeouts } from './harness/shortTimeouts.ts'
import { closeOverlay, documentId, heading, pathOf, visit } from './harness/visit.ts'

const alive = (page: Page) => page.getByText('the widget lives').waitFor()
const script = (text: string, status = 200, type = 'text/javascript'): Fault => ({
  kind: 'replace',
  status,
  headers: { 'content-type': type },
  body: text,
})

const broken: Readonly<Record<string, Fault>> = {
  missing: script('not found', 404, 'text/plain'),
  reset: { kind: 'reset' },
  'cut in the middle': { kind: 'cut', afterBytes: 60, ending: 'clean' },
  'HTML of a gateway': script('<h1>Sign in</h1>', 200, 'text/html'),
  'a syntax error': script('const = ;'),
  'without its registration': script('export const other = 1'),
}

describeApp('broken assets', { app: 'navigation', files: shortTimeouts }, (served) => {
  const proxy = proxyBefore(served, ['/widget', '/styled', '/parts', '/a'])

  /**
   * Finds the script that only the page /widget loads. It is a chunk in production, and a module in
   * development.
   */
  async function findWidget(): Promise<string> {
    const { page, link } = await visit(proxy.now, '/')
    const before = proxy.now.requests.length
    await link('Widget')
    await alive(page)
    const targets = proxy.now.requests.slice(before).map(({ target }) => target)
    const [script] = targets.filter((target) => /\/widget\.tsx|assets\/[^/]*\.js$/.test(target))
    if (script === undefined) throw new Error(`There is no script among ${targets.join(' ')}.`)
    return script
  }

  let widget: string | null = null
  async function ofWidget(): Promise<(request: ProxiedRequest) => boolean> {
    widget ??= await findWidget()
    const script = widget
    return ({ target }) => target.startsWith(script)
  }

  describe('a script that a navigation needs', () => {
    // Use fewer faults in development. A dev server serves each module at only one URL, and a
    // document remembers a broken module, so another document is loaded. The browser would cache a
    // cut module by its `ETag`. A dev server also never serves one module in place of another.
    const kinds = Object.entries(broken).filter(
      ([name]) => served.mode === 'production' || /^(missing|a syntax error)$/.test(name),
    )

    test.each(kinds)('%s once: the page arrives', async (name, fault) => {
      const match = await ofWidget()
      const { page, link, first } = await visit(proxy.now, '/')
      proxy.now.inject(fault, { match, times: 1 })
      await link('Widget')
      await alive(page)
      expect(pathOf(page)).toBe('/widget')
      if (served.mode === 'production' && name !== 'without its registration') {
        expect(await documentId(page)).toBe(first)
      }
    })

    test.each(kinds)('%s permanently: the page can be read', async (name, fault) => {
      const match = await ofWidget()
      const { page, link } = await visit(proxy.now, '/')
      proxy.now.inject(fault, { match })
      await link('Widget')
      await heading(page, 'Widget page').waitFor()
      await page.getByText('the widget waits').waitFor()
      expect(pathOf(page)).toBe('/widget')
      const hasOverlay = served.mode === 'dev' && name === 'a syntax error'
      // In development, only the overlay shows that a script with a syntax error was broken.
      if (hasOverlay) await page.locator('vite-error-overlay').waitFor()
      proxy.now.clear()
      await closeOverlay(page, hasOverlay)
      await page.getByRole('link', { name: 'Alpha', exact: true }).click()
      await heading(page, 'Alpha').waitFor()
      await page.goto('/widget')
      await alive(page)
    })

    test('hangs once: the page arrives', async () => {
      const match = await ofWidget()
      const { page, link } = await visit(proxy.now, '/')
      proxy.now.inject({ kind: 'hang' }, { match, times: 1 })
      await link('Widget')
      await alive(page)
      expect(pathOf(page)).toBe('/widget')
    })
  })

  describe('a stylesheet', () => {
    test.each(['hang', 'reset'] as const)(
      'that does not load (%s) delays no page',
      async (kind) => {
        const { page, link, first } = await visit(proxy.now, '/')
        const html = await (await fetch(`${served.app.origin}/styled`)).text()
        const currentHtml = await page.content()
        const hrefs = [...html.matchAll(/href="([^"]+\.css)"/g)].map(([, href]) => href ?? '')
        const newHref = hrefs.find((href) => !currentHtml.includes(href))
        expect(newHref).toBeDefined()
        proxy.now.inject({ kind }, { match: ({ target }) => target === newHref })
        await link('Styled')
        await heading(page, 'Styled').waitFor()
        if (served.mode === 'production') expect(await documentId(page)).toBe(first)
      },
    )

    test('is applied before its page is shown', async () => {
      const { page, link } = await visit(proxy.now, '/')
      await link('Styled')
      const title = heading(page, 'Styled')
      await title.waitFor()
      expect(await title.evaluate((it) => getComputedStyle(it).color)).toBe('rgb(4, 5, 6)')
    })

    test('that does not load does not leave the first document blank', async () => {
      const { page } = await openPage(proxy.now)
      proxy.now.inject({ kind: 'hang' }, { match: isStylesheet })
      await page.goto('/styled', { waitUntil: 'commit' })
      await expect.poll(() => isPainted(page)).toBe(true)
      await page.getByRole('link', { name: 'Alpha', exact: true }).click()
      await heading(page, 'Alpha').waitFor()
    })

    test('that loads late is applied to the first document', async () => {
      const { page } = await openPage(proxy.now)
      let letCome = () => {}
      const coming = new Promise<void>((resolve) => {
        letCome = resolve
      })
      await page.route(/\.css(\?|$)/, (route) => coming.then(() => route.continue()))
      await page.goto('/styled', { waitUntil: 'commit' })
      await expect.poll(() => isPainted(page)).toBe(true)
      const title = heading(page, 'Styled')
      const color = () => title.evaluate((it) => getComputedStyle(it).color)
      expect(await color()).not.toBe('rgb(4, 5, 6)')
      letCome()
      await expect.poll(color).toBe('rgb(4, 5, 6)')
    })
  })
})

const isStylesheet = ({ target }: ProxiedRequest) => /\.css(\?|$)/.test(target)

/** True if the browser has painted anything of the document. */
function isPainted(page: Page): Promise<boolean> {
  return page.evaluate(() => performance.getEntriesByType('paint').length > 0)
}
