import type { Page, Response } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import type { Fault, ProxiedRequest } from './harness/faults/fault.ts'
import { type FaultProxy, startFaultProxy } from './harness/faults/proxy.ts'
import { documentId, heading, pathOf, visit } from './harness/visit.ts'

const isPrefetch = ({ headers }: ProxiedRequest) => 'waymark-prefetch' in headers

describeApp('a page with a loading screen', { app: 'navigation' }, (served) => {
  let shells: FaultProxy
  beforeAll(async () => {
    shells = await startFaultProxy(served.app.origin)
  })
  afterEach(() => shells.clear())
  afterAll(() => shells.stop())

  const isOfRecord = (request: ProxiedRequest) =>
    !isPrefetch(request) && request.target.startsWith('/_waymark/data/records')
  const recordNow = (page: Page) => page.locator('#loading:visible')

  /** Visits a page of links, and waits until the linked pages are prefetched. */
  async function visitPrefetched() {
    const answered: Record<string, Response> = {}
    const visited = await visit(shells, '/b')
    visited.page.on('response', (response) => {
      if (!('waymark-prefetch' in response.request().headers())) return
      answered[new URL(response.url()).pathname.slice('/_waymark/data'.length)] = response
    })
    await visited.page.evaluate(() => window.router.push('/ahead'))
    await expect.poll(() => Object.keys(answered).length).toBe(6)
    return { ...visited, answered }
  }

  test('is prefetched only down to the loading screen', async () => {
    const { page, answered, expectQuietConsole } = await visitPrefetched()
    const statuses = Object.entries(answered).map(([path, response]) => [path, response.status()])
    expect(Object.fromEntries(statuses)).toEqual({
      '/records/1.rsc': 200,
      '/records/2.rsc': 200,
      '/records/gone.rsc': 200,
      '/records/moved.rsc': 200,
      '/vault/1.rsc': 204,
      '/item/plain.rsc': 204,
    })
    expect(await answered['/records/1.rsc']?.headerValue('cache-control')).toBe('private, no-store')
    const ask = (path: string) =>
      served.fetch(`/_waymark/data${path}.rsc`, {
        headers: { 'waymark-prefetch': '1', 'waymark-from': '/b' },
      })
    const shell = await (await ask('/records/1')).text()
    expect(shell).toContain('The record is looked up')
    expect(shell).not.toContain('The next one')
    const secret = await ask('/vault/1')
    expect([secret.status, await secret.text()]).toEqual([204, ''])
    if (served.mode === 'dev') {
      const ledger = await page.evaluate(() => window.waymarkPrefetches?.())
      expect(ledger).toMatchObject({ fetched: 4, used: 0, wasted: 0, refused: 0 })
      expect(ledger?.bytes).toBeGreaterThan(400)
    }
    expectQuietConsole()
  })

  test('shows the screen on a click, and then the page', async () => {
    const { page, link, requests, first } = await visitPrefetched()
    shells.inject({ kind: 'delay', ms: 2000 }, { match: isOfRecord })
    await page.evaluate(() => window.scrollTo(0, 90))
    await link('Record 1')
    await recordNow(page).waitFor()
    expect([pathOf(page), await page.title()]).toEqual(['/records/1', 'Ahead | Navigation'])
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    expect(await page.locator('#state').textContent()).not.toBe('idle')
    await page.locator('#records').click()
    await heading(page, 'Record 1').waitFor()
    expect(await page.locator('#records').textContent()).toBe('1')
    expect(await page.title()).toBe('Record 1 | Navigation')
    await expect.poll(() => page.locator('[aria-live]').textContent()).toContain('Record 1')
    const events = await page.evaluate(() => window.events)
    expect(events.filter((event) => event.endsWith('/records/1'))).toEqual([
      'start /records/1',
      'slow /records/1',
      'commit /records/1',
    ])
    await page.goBack()
    await heading(page, 'Ahead').waitFor()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(90)
    await page.goForward()
    await heading(page, 'Record 1').waitFor()
    expect(await documentId(page)).toBe(first)
    await page.goBack()
    await link('Record 2, further down')
    await heading(page, 'Record 2').waitFor()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(500)
    expect(requests.filter((path) => path.startsWith('/records'))).toEqual([
      '/records/1.rsc',
      '/records/2.rsc',
    ])
  })

  test('shows the real status on a click, if the page is gone or has moved', async () => {
    const { page, link, first } = await visitPrefetched()
    shells.inject({ kind: 'delay', ms: 600 }, { match: isOfRecord })
    await link('A record that is gone')
    await recordNow(page).waitFor()
    await heading(page, 'Nothing is here').waitFor()
    expect(pathOf(page)).toBe('/records/gone')
    await page.goBack()
    await link('A record that has moved')
    await recordNow(page).waitFor()
    await heading(page, 'Record 9').waitFor()
    expect([pathOf(page), await documentId(page)]).toEqual(['/records/9', first])
    await page.goBack()
    await heading(page, 'Ahead').waitFor()
    await link('In the vault')
    await page.getByText('403', { exact: true }).waitFor()
    expect(pathOf(page)).toBe('/vault/1')
  })

  test('that does not arrive: the deadline starts at the click, and Cancel leads back', async () => {
    const { page, link } = await visitPrefetched()
    await page.locator('#note').fill('typed')
    shells.inject({ kind: 'hang' }, { match: isOfRecord })
    const clickedMs = Date.now()
    await link('Record 1')
    await recordNow(page).waitFor()
    await page.locator('[data-waymark-notice]').waitFor()
    expect(Date.now() - clickedMs).toBeGreaterThan(3700)
    expect(Date.now() - clickedMs).toBeLessThan(7500)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await heading(page, 'Ahead').waitFor()
    await expect.poll(() => pathOf(page)).toBe('/ahead')
    expect(await page.locator('#note').inputValue()).toBe('typed')
  })

  test('that fails: Retry, or a document of the page; the shell is not cached', async () => {
    const { page, link, first } = await visitPrefetched()
    const isRecord = (request: ProxiedRequest) =>
      isOfRecord(request) || request.target === '/records/1'
    shells.inject({ kind: 'replace', status: 502, body: 'Bad Gateway' }, { match: isRecord })
    await link('Record 1')
    await recordNow(page).waitFor()
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    // While the failed page waits, other pages can be opened. Going back requests the failed page
    // again.
    await link('Alpha')
    await heading(page, 'Alpha').waitFor()
    shells.clear()
    await page.goBack()
    await heading(page, 'Record 1').waitFor()
    expect([pathOf(page), await documentId(page)]).toEqual(['/records/1', first])
  })

  test('that is left while it loads: going back abandons the other page', async () => {
    const { page, link } = await visitPrefetched()
    const rule = shells.inject({ kind: 'hang' }, { match: isOfRecord })
    await link('Record 1')
    await recordNow(page).waitFor()
    await page.goBack()
    await heading(page, 'Ahead').waitFor()
    expect(pathOf(page)).toBe('/ahead')
    await link('Record 1')
    await recordNow(page).waitFor()
    rule.remove()
    await page.evaluate(() => {
      const over = new AbortController()
      void window.router.push('/slow?ms=5000', { signal: over.signal })
      setTimeout(() => over.abort(), 100)
    })
    // The page is requested again, because the other navigation abandoned its request.
    await heading(page, 'Record 1').waitFor()
    expect(pathOf(page)).toBe('/records/1')
  })

  const faulty: Readonly<Record<string, Fault>> = {
    'cut in the middle': { kind: 'cut', afterBytes: 120, ending: 'clean' },
    'one byte flipped': { kind: 'corrupt', at: { byte: 60 } },
    'a portal’s page': { kind: 'replace', status: 200, body: '<h1>Sign in</h1>' },
    hangs: { kind: 'hang' },
  }
  test.each(Object.entries(faulty))(
    'is not shown in advance if the response is %s',
    async (_, fault) => {
      const isFirst = (request: ProxiedRequest) =>
        isPrefetch(request) && request.target.includes('/records/1')
      const rule = shells.inject(fault, { match: isFirst })
      const { page, link, first } = await visit(shells, '/b')
      await page.evaluate(() => window.router.push('/ahead'))
      await expect.poll(() => rule.hits).toBe(1)
      await link('Record 1')
      await heading(page, 'Record 1').waitFor()
      expect(await documentId(page)).toBe(first)
    },
  )
})
