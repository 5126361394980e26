import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import type { Fault, ProxiedRequest } from './harness/faults/fault.ts'
import { proxyBefore } from './harness/faults/proxyBefore.ts'
import { ownTimes } from './harness/ownTimes.ts'
import { openPage } from './harness/page.ts'
import { documentId, heading, pathOf, visit } from './harness/visit.ts'

const alive = (page: Page) => page.getByText('the widget lives').waitFor({ timeout: 20_000 })
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
  'without what it should register': script('export const other = 1'),
}

describeModes('broken assets', { app: 'navigation', files: ownTimes }, (served) => {
  const proxy = proxyBefore(served, ['/widget', '/styled', '/parts', '/a'])

  /** The script that only the page /widget brings, a chunk or the module: found by what it loads. */
  async function findWidget(): Promise<string> {
    const { page, link } = await visit(proxy.now, '/')
    const before = proxy.now.requests.length
    await link('Widget')
    await alive(page)
    const asked = proxy.now.requests.slice(before).map(({ target }) => target)
    const [script] = asked.filter((target) => /\/widget\.tsx|assets\/[^/]*\.js$/.test(target))
    if (script === undefined) throw new Error(`There is no script among ${asked.join(' ')}.`)
    return script
  }

  let widget: string | null = null
  async function ofWidget(): Promise<(request: ProxiedRequest) => boolean> {
    widget ??= await findWidget()
    const script = widget
    return ({ target }) => target.startsWith(script)
  }

  const some = <Value>(faults: Readonly<Record<string, Value>>) => {
    const kinds = Object.entries(faults)
    return served.mode === 'production' ? kinds : kinds.filter((_, at) => at !== 1)
  }

  describe('a script that a navigation needs', () => {
    // What the dev server gives are modules, each under one URL only: a document keeps one that is
    // broken, and so another document is loaded. One that was cut, the browser would keep by its
    // `ETag`; and a dev server gives no module in place of another.
    const kinds = Object.entries(broken).filter(
      ([name]) => served.mode === 'production' || /^(missing|a syntax error)$/.test(name),
    )

    test.each(kinds)('%s, once: it arrives', async (name, fault) => {
      const match = await ofWidget()
      const { page, link, first } = await visit(proxy.now, '/')
      proxy.now.inject(fault, { match, times: 1 })
      await link('Widget')
      await alive(page)
      expect(pathOf(page)).toBe('/widget')
      if (served.mode === 'production' && name !== 'without what it should register') {
        expect(await documentId(page)).toBe(first)
      }
    })

    test.each(kinds)('%s, for good: the page is readable', async (_, fault) => {
      const match = await ofWidget()
      const { page, link } = await visit(proxy.now, '/')
      proxy.now.inject(fault, { match })
      await link('Widget')
      await heading(page, 'Widget page').waitFor({ timeout: 15_000 })
      await page.getByText('the widget waits').waitFor()
      expect(pathOf(page)).toBe('/widget')
      proxy.now.clear()
      await page.getByRole('link', { name: 'Alpha', exact: true }).click()
      await heading(page, 'Alpha').waitFor({ timeout: 15_000 })
      await page.goto('/widget')
      await alive(page)
    })

    test('hangs: a notice, then a document', async () => {
      const match = await ofWidget()
      const { page, link } = await visit(proxy.now, '/')
      proxy.now.inject({ kind: 'hang' }, { match, times: 1 })
      await link('Widget')
      await page.locator('[data-waymark-notice]').waitFor()
      await alive(page)
      expect(pathOf(page)).toBe('/widget')
    })
  })

  describe('a stylesheet', () => {
    test.each(['hang', 'reset'] as const)('that does not come (%s) holds no page', async (kind) => {
      const { page, link } = await visit(proxy.now, '/')
      const html = await (await fetch(`${served.app.origin}/styled`)).text()
      const known = await page.content()
      const hrefs = [...html.matchAll(/href="([^"]+\.css)"/g)].map(([, href]) => href ?? '')
      const own = hrefs.find((href) => !known.includes(href))
      expect(own).toBeDefined()
      proxy.now.inject({ kind }, { match: ({ target }) => target === own })
      const clickedMs = Date.now()
      await link('Styled')
      await heading(page, 'Styled').waitFor({ timeout: 15_000 })
      expect(Date.now() - clickedMs).toBeLessThan(5000)
    })

    test('is there before its page', async () => {
      const { page, link } = await visit(proxy.now, '/')
      await link('Styled')
      const title = heading(page, 'Styled')
      await title.waitFor()
      expect(await title.evaluate((it) => getComputedStyle(it).color)).toBe('rgb(4, 5, 6)')
    })
  })

  /**
   * How many bytes come at once, before what is late, and a few of that: in development, times
   * stand in what React writes, and no answer is as long as the one before.
   */
  async function withFirst(target: string, headers: Record<string, string> = {}): Promise<number> {
    const response = await fetch(served.app.origin + target, { headers })
    const { value } = (await response.body?.getReader().read()) ?? {}
    return (value?.length ?? 0) + (served.mode === 'dev' ? 200 : 1)
  }

  describe('the first document', () => {
    const target = '/parts?ms=800'
    const match = (request: ProxiedRequest) => request.target === target
    const faults: Readonly<Record<string, (afterBytes: number) => Fault>> = {
      'cut cleanly': (afterBytes) => ({ kind: 'cut', afterBytes, ending: 'clean' }),
      'cut by a reset': (afterBytes) => ({ kind: 'cut', afterBytes, ending: 'reset' }),
      stalled: (afterBytes) => ({ kind: 'stall', afterBytes }),
    }
    test.each(some(faults))('%s: the rest is fetched as data', async (_, fault) => {
      const { page } = await openPage(proxy.now)
      // Within what comes 800 ms after the first piece.
      proxy.now.inject(fault(await withFirst(target)), { match })
      await page.goto(target, { waitUntil: 'commit' }).catch(() => {})
      await heading(page, 'Parts').waitFor({ timeout: 15_000 })
      await page.getByText('second came').waitFor({ timeout: 15_000 })
      // In development, what was cut is told as an error, over the page.
      if (served.mode === 'dev') await page.evaluate(() => void window.router.push('/a'))
      else await page.getByRole('link', { name: 'Alpha', exact: true }).click()
      await heading(page, 'Alpha').waitFor()
    })

    test('that takes its time is not taken for a lost one', async () => {
      const { page } = await openPage(proxy.now)
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.goto('/parts?ms=2200', { waitUntil: 'commit' })
      await page.getByText('second came').waitFor({ timeout: 15_000 })
      expect(asked).not.toContain('/_waymark/data/parts.rsc')
    })
  })

  describe('a page that has come by data', () => {
    const data = '/_waymark/data/parts.rsc'
    const match = ({ target }: ProxiedRequest) => target === data
    const faults: Readonly<Record<string, (afterBytes: number) => Fault>> = {
      'cut cleanly': (afterBytes) => ({ kind: 'cut', afterBytes, ending: 'clean' }),
      'cut by a reset': (afterBytes) => ({ kind: 'cut', afterBytes, ending: 'reset' }),
      stalled: (afterBytes) => ({ kind: 'stall', afterBytes }),
    }
    test.each(some(faults))('and is %s later: it is mended', async (_, fault) => {
      const { page, link, first } = await visit(proxy.now, '/')
      const [request] = await Promise.all([
        page.waitForRequest((asked) => asked.url().endsWith(data)),
        link('Parts'),
      ])
      await heading(page, 'Parts').waitFor()
      const afterBytes = await withFirst(data, request.headers())
      await link('Home')
      await heading(page, 'Home').waitFor()
      proxy.now.inject(fault(afterBytes), { match, times: 1 })
      await link('Parts')
      await heading(page, 'Parts').waitFor()
      await page.locator('.late:visible').getByText('second came').waitFor({ timeout: 15_000 })
      expect(await documentId(page)).toBe(first)
    })
  })
})
