import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type App, startApp } from './harness/app.ts'
import type { Fault, ProxiedRequest } from './harness/faults/fault.ts'
import { type FaultProxy, startFaultProxy } from './harness/faults/proxy.ts'
import { openPage } from './harness/page.ts'
import { documentId, heading, pathOf, visit } from './harness/visit.ts'

let app: App
let proxy: FaultProxy
beforeAll(async () => {
  app = await startApp({ app: 'navigation', mode: 'production' })
  proxy = await startFaultProxy(app.origin)
})
afterEach(() => proxy.clear())
afterAll(async () => {
  await proxy.stop()
  await app.stop()
})

const alive = (page: Page) => page.getByText('the widget lives').waitFor({ timeout: 20_000 })
const script = (text: string, status = 200, type = 'text/javascript'): Fault => ({
  kind: 'replace',
  status,
  headers: { 'content-type': type },
  body: text,
})

/** The chunk that only the page /widget brings: found by what it loads. */
async function widgetChunk(): Promise<(request: ProxiedRequest) => boolean> {
  const { page, link } = await visit(proxy, '/')
  const before = proxy.requests.length
  await link('Widget')
  await alive(page)
  const asked = proxy.requests.slice(before).map(({ target }) => target)
  const [chunk] = asked.filter((target) => target.endsWith('.js'))
  expect(chunk).toBeDefined()
  return ({ target }) => target.startsWith(chunk ?? '-')
}

const broken: Readonly<Record<string, Fault>> = {
  missing: script('not found', 404, 'text/plain'),
  reset: { kind: 'reset' },
  'cut in the middle': { kind: 'cut', afterBytes: 60, ending: 'clean' },
  'HTML of a gateway': script('<h1>Sign in</h1>', 200, 'text/html'),
  'a syntax error': script('const = ;'),
  'without what it should register': script('export const other = 1'),
}

describe('a script that a navigation needs', () => {
  test.each(Object.entries(broken))('%s, once: it arrives in the document', async (_, fault) => {
    const match = await widgetChunk()
    const { page, link, first } = await visit(proxy, '/')
    proxy.inject(fault, { match, times: 1 })
    await link('Widget')
    await alive(page)
    expect(pathOf(page)).toBe('/widget')
    if (fault.kind !== 'replace' || !String(fault.body).startsWith('export')) {
      expect(await documentId(page)).toBe(first)
    }
  })

  test.each(Object.entries(broken))('%s, for good: the page is readable', async (_, fault) => {
    const match = await widgetChunk()
    const { page, link } = await visit(proxy, '/')
    proxy.inject(fault, { match })
    await link('Widget')
    await heading(page, 'Widget page').waitFor({ timeout: 15_000 })
    await page.getByText('the widget waits').waitFor()
    expect(pathOf(page)).toBe('/widget')
    proxy.clear()
    await page.getByRole('link', { name: 'Alpha', exact: true }).click()
    await heading(page, 'Alpha').waitFor({ timeout: 15_000 })
    await page.goto('/widget')
    await alive(page)
  })

  test('hangs: a notice, then a document', async () => {
    const match = await widgetChunk()
    const { page, link } = await visit(proxy, '/')
    proxy.inject({ kind: 'hang' }, { match, times: 1 })
    await link('Widget')
    await page.locator('[data-waymark-notice]').waitFor()
    await alive(page)
    expect(pathOf(page)).toBe('/widget')
  })
})

describe('a stylesheet', () => {
  test.each(['hang', 'reset'] as const)('that does not come (%s) holds no page', async (kind) => {
    const { page, link } = await visit(proxy, '/')
    const html = await (await fetch(`${app.origin}/styled`)).text()
    const known = await page.content()
    const hrefs = [...html.matchAll(/href="([^"]+\.css)"/g)].map(([, href]) => href ?? '')
    const own = hrefs.find((href) => !known.includes(href))
    expect(own).toBeDefined()
    proxy.inject({ kind }, { match: ({ target }) => target === own })
    const clickedMs = Date.now()
    await link('Styled')
    await heading(page, 'Styled').waitFor({ timeout: 15_000 })
    expect(Date.now() - clickedMs).toBeLessThan(5000)
  })

  test('is there before its page', async () => {
    const { page, link } = await visit(proxy, '/')
    await link('Styled')
    const title = heading(page, 'Styled')
    await title.waitFor()
    expect(await title.evaluate((it) => getComputedStyle(it).color)).toBe('rgb(4, 5, 6)')
  })
})

/** How many bytes come at once, before what is late. */
async function firstBytes(target: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(app.origin + target, { headers })
  const { value } = (await response.body?.getReader().read()) ?? {}
  return value?.length ?? 0
}

describe('the first document', () => {
  const target = '/parts?ms=800'
  const match = (request: ProxiedRequest) => request.target === target
  const faults: Readonly<Record<string, (afterBytes: number) => Fault>> = {
    'cut cleanly': (afterBytes) => ({ kind: 'cut', afterBytes, ending: 'clean' }),
    'cut by a reset': (afterBytes) => ({ kind: 'cut', afterBytes, ending: 'reset' }),
    stalled: (afterBytes) => ({ kind: 'stall', afterBytes }),
  }
  test.each(Object.entries(faults))('%s: the rest is fetched as data', async (_, fault) => {
    const { page } = await openPage(proxy)
    // One byte more than the first piece: what comes 800 ms later ends it.
    proxy.inject(fault((await firstBytes(target)) + 1), { match })
    await page.goto(target, { waitUntil: 'commit' }).catch(() => {})
    await heading(page, 'Parts').waitFor({ timeout: 15_000 })
    await page.getByText('second came').waitFor({ timeout: 15_000 })
    await page.getByRole('link', { name: 'Alpha', exact: true }).click()
    await heading(page, 'Alpha').waitFor()
  })

  test('that takes its time is not taken for a lost one', async () => {
    const { page } = await openPage(proxy)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/parts?ms=5000', { waitUntil: 'commit' })
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
  test.each(Object.entries(faults))('and is %s later: it is mended', async (_, fault) => {
    const { page, link, first } = await visit(proxy, '/')
    const [request] = await Promise.all([
      page.waitForRequest((asked) => asked.url().endsWith(data)),
      link('Parts'),
    ])
    await heading(page, 'Parts').waitFor()
    const afterBytes = await firstBytes(data, request.headers())
    await link('Home')
    await heading(page, 'Home').waitFor()
    proxy.inject(fault(afterBytes + 1), { match, times: 1 })
    await link('Parts')
    await heading(page, 'Parts').waitFor()
    await page.locator('.late:visible').getByText('second came').waitFor({ timeout: 15_000 })
    expect(await documentId(page)).toBe(first)
  })
})
