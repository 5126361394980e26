import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type App, startApp } from './harness/app.ts'
import { describeModes } from './harness/describeModes.ts'
import type { Fault, ProxiedRequest } from './harness/faults/fault.ts'
import { type FaultProxy, startFaultProxy } from './harness/faults/proxy.ts'
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

const ofData = ({ target }: ProxiedRequest) => target.startsWith('/_waymark/data/a.rsc')
const ofPage = (request: ProxiedRequest) => ofData(request) || request.target === '/a'
const notice = (page: Page) => page.locator('[data-waymark-notice]')

/** After a fault, other links work and nothing is left of it. */
async function expectWorking(page: Page): Promise<void> {
  proxy.clear()
  await page.getByRole('link', { name: 'Beta', exact: true }).click()
  await heading(page, 'Beta').waitFor()
  expect(pathOf(page)).toBe('/b')
  expect(await notice(page).count()).toBe(0)
}

const body = (text: string, status = 200, type = 'text/html'): Fault => ({
  kind: 'replace',
  status,
  headers: { 'content-type': type },
  body: text,
})

describe('page data that is not what it should be still leads to the page', () => {
  const faults: Readonly<Record<string, Fault>> = {
    'reset before it begins': { kind: 'reset' },
    'reset in the middle': { kind: 'cut', afterBytes: 900, ending: 'reset' },
    'cut at byte 0': { kind: 'cut', afterBytes: 0, ending: 'clean' },
    'cut at byte 1': { kind: 'cut', afterBytes: 1, ending: 'clean' },
    'cut at byte 150': { kind: 'cut', afterBytes: 150, ending: 'clean' },
    'cut at byte 1000': { kind: 'cut', afterBytes: 1000, ending: 'clean' },
    'one row flipped': { kind: 'corrupt', at: { row: 0 } },
    'another row flipped': { kind: 'corrupt', at: { row: 2 } },
    'one byte flipped': { kind: 'corrupt', at: { byte: 700 } },
    empty: body('', 200, 'text/x-component'),
    garbage: body('no rows at all', 200, 'text/x-component'),
    'a portal’s page': body('<h1>Sign in to the network</h1>'),
    'a redirect to another origin': {
      kind: 'replace',
      status: 302,
      headers: { location: 'http://127.0.0.1:9/portal' },
      body: '',
    },
    'a redirect to itself': {
      kind: 'replace',
      status: 307,
      headers: { location: '/_waymark/data/a.rsc' },
      body: '',
    },
    ...Object.fromEntries(
      [404, 429, 500, 502, 503].map((status) => [
        `a gateway’s ${status}`,
        body(`<h1>${status}</h1>`, status),
      ]),
    ),
  }
  test.each(Object.entries(faults))('%s', async (_, fault) => {
    const { page, link } = await visit(proxy, '/')
    proxy.inject(fault, { match: ofData })
    await link('Alpha')
    await heading(page, 'Alpha').waitFor()
    expect(pathOf(page)).toBe('/a')
    await expectWorking(page)
  })

  test('what is wrong once is asked for again, within the document', async () => {
    const { page, link, first } = await visit(proxy, '/')
    const once = { match: ofData, times: 1 }
    proxy.inject({ kind: 'cut', afterBytes: 1000, ending: 'clean' }, once)
    await link('Alpha')
    await heading(page, 'Alpha').waitFor()
    expect(await documentId(page)).toBe(first)
  })
})

describe('page data that does not come', () => {
  test('left alone, it ends in a document at the target', async () => {
    const { page, link, first } = await visit(proxy, '/')
    proxy.inject({ kind: 'hang' }, { match: ofData })
    const clickedMs = Date.now()
    await link('Alpha')
    await notice(page).waitFor()
    expect(Date.now() - clickedMs).toBeGreaterThan(3700)
    expect(Date.now() - clickedMs).toBeLessThan(5000)
    expect(await heading(page, 'Home').isVisible()).toBe(true)
    await heading(page, 'Alpha').waitFor()
    expect(await documentId(page)).not.toBe(first)
    await expectWorking(page)
  })

  test('with something typed, it stays until the person chooses', async () => {
    const { page, link, first } = await visit(proxy, '/')
    await page.getByLabel('Draft').fill('precious')
    const rule = proxy.inject({ kind: 'hang' }, { match: ofData })
    await link('Alpha')
    await notice(page).waitFor()
    await page.waitForTimeout(6000)
    expect(await page.evaluate(() => window.events)).toContain('timeout /a')
    expect(await page.getByLabel('Draft').inputValue()).toBe('precious')
    expect(await documentId(page)).toBe(first)
    await page.getByRole('button', { name: 'Keep waiting' }).click()
    await expect.poll(() => notice(page).count()).toBe(0)
    await notice(page).waitFor()
    rule.remove()
    await page.getByRole('button', { name: 'Reload' }).click()
    await heading(page, 'Alpha').waitFor()
    expect(pathOf(page)).toBe('/a')
  })

  test('Cancel leaves all as it was, other links work meanwhile', async () => {
    const { page, link } = await visit(proxy, '/')
    proxy.inject({ kind: 'stall', afterBytes: 100 }, { match: ofData })
    await link('Alpha')
    await notice(page).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await notice(page).count()).toBe(0)
    expect(pathOf(page)).toBe('/')
    await link('Alpha')
    await expectWorking(page)
  })

  test('a page that takes 10 s shows that it is pending, then arrives', async () => {
    const { page, link, first } = await visit(proxy, '/')
    await link('Very slow')
    await page.locator('a[data-pending]').waitFor()
    await page.waitForTimeout(8000)
    expect(await notice(page).count()).toBe(0)
    expect(await page.locator('#state').textContent()).toBe('slow')
    await heading(page, 'Slow one').waitFor()
    expect(await documentId(page)).toBe(first)
  })

  test('slowly arriving data is waited for', async () => {
    const { page, link, first } = await visit(proxy, '/')
    proxy.inject({ kind: 'slow', bytesPerSecond: 2500 }, { match: ofData })
    await link('Alpha')
    await heading(page, 'Alpha').waitFor({ timeout: 15_000 })
    expect(await documentId(page)).toBe(first)
  })

  test('back and forward while pending, and a refresh that hangs, hold nothing', async () => {
    const { page, link } = await visit(proxy, '/b')
    await link('Home')
    await heading(page, 'Home').waitFor()
    proxy.inject({ kind: 'hang' }, { match: ofData })
    await link('Alpha')
    await page.goBack()
    await heading(page, 'Beta').waitFor()
    expect(pathOf(page)).toBe('/b')
    proxy.inject({ kind: 'hang' }, { match: ({ target }) => target.includes('/b.rsc') })
    await page.evaluate(() => void window.router.refresh())
    await link('Long')
    await heading(page, 'Long').waitFor()
    expect(pathOf(page)).toBe('/long')
  })
})

describe('when the document fails, too', () => {
  const away: Readonly<Record<string, Fault>> = {
    reset: { kind: 'reset' },
    hangs: { kind: 'hang' },
    'a gateway’s 502': body('<h1>Bad Gateway</h1>', 502),
    'a portal’s page': body('<h1>Sign in to the network</h1>'),
  }
  test.each(Object.entries(away))('it stays, and arrives when it can: %s', async (_, fault) => {
    const { page, link, first } = await visit(proxy, '/')
    await page.getByLabel('Draft').fill('precious')
    await page.getByLabel('Draft').fill('')
    proxy.inject(fault, { match: ofPage })
    await link('Alpha')
    await page.getByRole('button', { name: 'Retry' }).waitFor({ timeout: 15_000 })
    expect(await heading(page, 'Home').isVisible()).toBe(true)
    expect([pathOf(page), await documentId(page)]).toEqual(['/', first])
    expect(await page.evaluate(() => window.events)).toContain('error /a')
    proxy.clear()
    await heading(page, 'Alpha').waitFor({ timeout: 20_000 })
    expect(pathOf(page)).toBe('/a')
    await expectWorking(page)
  })

  test('a circle of redirects is told, and leaves the page as it is', async () => {
    const { page, link } = await visit(proxy, '/')
    await link('Circle')
    await notice(page).getByText('circles').waitFor()
    expect(pathOf(page)).toBe('/')
    await expectWorking(page)
  })

  test('offline: it waits, and arrives when the line is back', async () => {
    const { page, link, first } = await visit(proxy, '/')
    await page.context().setOffline(true)
    await link('Alpha')
    await notice(page).getByText('offline').waitFor()
    await page.context().setOffline(false)
    await heading(page, 'Alpha').waitFor()
    expect(await documentId(page)).toBe(first)
    await expectWorking(page)
  })

  test('a server that restarts in between', async () => {
    const { page, link, first } = await visit(proxy, '/')
    proxy.forwardTo('http://localhost:9')
    await link('Alpha')
    await notice(page).waitFor()
    proxy.forwardTo(app.origin)
    await heading(page, 'Alpha').waitFor()
    expect(await documentId(page)).toBe(first)
  })
})

describeModes('in development', { app: 'navigation', modes: ['dev'] }, (served) => {
  let own: FaultProxy
  beforeAll(async () => {
    own = await startFaultProxy(served.app.origin)
  })
  afterEach(() => own.clear())
  afterAll(() => own.stop())

  const faults: Readonly<Record<string, Fault>> = {
    'cut in the middle': { kind: 'cut', afterBytes: 1000, ending: 'clean' },
    'changed on its way': { kind: 'corrupt', at: { byte: 700 } },
    'a gateway’s 502': body('<h1>Bad Gateway</h1>', 502),
    'not there for long': { kind: 'hang' },
  }
  test.each(Object.entries(faults))('page data that is %s leads to the page', async (_, fault) => {
    const { page, link } = await visit(own, '/')
    own.inject(fault, { match: ofData })
    await link('Alpha')
    await heading(page, 'Alpha').waitFor({ timeout: 15_000 })
    expect(pathOf(page)).toBe('/a')
  })
})
