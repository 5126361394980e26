import { machineFaults } from '@waymark/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startApp } from './harness/app.ts'
import { launchWithPageCache } from './harness/browser.ts'
import { describeModes } from './harness/describeModes.ts'
import { type FaultProxy, startFaultProxy } from './harness/faults/proxy.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { repetitions } from './harness/runLength.ts'
import { startSwitchProxy } from './harness/switchProxy.ts'
import { documentId, heading, pathOf, visit } from './harness/visit.ts'

// Tests what a machine does to a page that stays open. Each case ends with a click that must
// arrive.

const { frozen } = machineFaults
const clocks = [
  ['is a day ahead', machineFaults['clock-forward']],
  ['is a day behind', machineFaults['clock-back']],
] as const
const storages = [
  ['is full', machineFaults['storage-full']],
  ['is forbidden', machineFaults['storage-forbidden']],
] as const

const tabCount = repetitions(10, 30)

/** Checks that links still work: Alpha and Beta are rendered for each request. */
async function expectArrivals(page: Page, link: (name: string) => Promise<void>) {
  for (const name of ['Alpha', 'Beta']) {
    await link(name)
    await heading(page, name).waitFor()
    expect(pathOf(page)).toBe(`/${name[0]?.toLowerCase()}`)
  }
}

describeModes('a machine', { app: 'navigation', modes: ['production'] }, (served) => {
  let proxy: FaultProxy
  beforeAll(async () => {
    proxy = await startFaultProxy(served.app.origin)
  })
  afterAll(() => proxy?.stop())

  test('freezes a tab during a navigation that gets no response', async () => {
    const { page, link } = await visit(proxy, '/')
    const match = ({ target }: { target: string }) => target.includes('/data/')
    proxy.inject({ kind: 'hang' }, { match, times: 1 })
    await link('Alpha')
    await frozen.disturb(page)
    await heading(page, 'Alpha').waitFor()
    await expectArrivals(page, link)
  })

  test.each(clocks)('has a clock that %s: the next page shows current data', async (_, clock) => {
    const { page, link, requests, first, expectQuietConsole } = await visit(served.app, '/')
    await expectArrivals(page, link)
    await clock.disturb(page)
    const before = requests.length
    await expectArrivals(page, link)
    expect(requests.length - before).toBe(2)
    await page.goBack()
    await heading(page, 'Alpha').waitFor()
    await expectArrivals(page, link)
    expect(await documentId(page)).toBe(first)
    expectQuietConsole()
  })

  test.each(storages)('has a storage that %s', async (_, storage) => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await storage.prepare(page)
    await page.goto('/')
    await hydrated(page)
    const link = (name: string) => page.getByRole('link', { name, exact: true }).click()
    await page.getByLabel('Draft').fill('typed')
    await expectArrivals(page, link)
    await page.goBack()
    await page.goBack()
    await heading(page, 'Home').waitFor()
    expect(await page.getByLabel('Draft').inputValue()).toBe('typed')
    await page.reload()
    await hydrated(page)
    await expectArrivals(page, link)
    expectQuietConsole()
  })

  test('runs out of memory', async () => {
    const { page, link, expectQuietConsole } = await visit(served.app, '/')
    const session = await page.context().newCDPSession(page)
    await expectArrivals(page, link)
    await session.send('Memory.simulatePressureNotification', { level: 'critical' })
    await session.send('HeapProfiler.collectGarbage')
    await page.goBack()
    await heading(page, 'Alpha').waitFor()
    await expectArrivals(page, link)
    expectQuietConsole()
  })

  test('prints a page, and one that is loading', async () => {
    const { page, link, expectQuietConsole } = await visit(served.app, '/')
    await link('Slow')
    const printed = await page.pdf()
    expect(printed.subarray(0, 4).toString()).toBe('%PDF')
    await page.waitForURL('**/slow?ms=700')
    await page.pdf()
    await expectArrivals(page, link)
    expectQuietConsole()
  })

  test(`has ${tabCount} tabs, with a click in each`, { timeout: 120_000 }, async () => {
    const { page: opener } = await openPage(served.app)
    const tabs = await Promise.all(
      Array.from({ length: tabCount }, async () => {
        const page = await opener.context().newPage()
        await page.goto('/', { timeout: 60_000 })
        return page
      }),
    )
    await Promise.all(
      tabs.map(async (page) => {
        const link = (name: string) =>
          page.getByRole('link', { name, exact: true }).click({ timeout: 60_000 })
        await link('Alpha')
        await heading(page, 'Alpha').waitFor({ timeout: 60_000 })
      }),
    )
  })
})

test.for(clocks)(
  'restores a page from the back-forward cache after a deploy: the clock %s',
  async ([_, clock], { skip }) => {
    const browser = await launchWithPageCache()
    if (browser === null) return skip('Only a browser without a window is installed.')
    const [before, after] = await Promise.all(['A', 'B'].map(startFleet))
    if (!before || !after) throw new Error('Two apps run.')
    const balancer = await startSwitchProxy(before.origin)
    onTestFinished(async () => {
      await browser.close()
      await Promise.all([balancer.stop(), before.stop(), after.stop()])
    })
    const page = await (await browser.newContext({ baseURL: balancer.origin })).newPage()
    await page.goto('/')
    await hydrated(page)
    await page.evaluate(() => {
      addEventListener('pageshow', ({ persisted }) => Object.assign(window, { persisted }))
    })
    // Go to a different site, because the app's router would open a page of the same site.
    await page.goto(after.origin.replace('localhost', '127.0.0.1'))
    balancer.choose(() => after.origin)
    // Ignore the error, because going back ends the document in which this call runs.
    await page.evaluate(() => history.back()).catch(() => {})
    const isRestored = () => page.evaluate(() => 'persisted' in window && window.persisted)
    await expect.poll(() => isRestored().catch(() => false)).toBe(true)
    expect(await page.locator('h1').textContent()).toBe('Home of A')
    await clock.disturb(page)
    await page.locator('nav a[href="/about"]').click()
    await expect.poll(() => page.locator('h1:visible').textContent()).toBe('About B')
    expect(pathOf(page)).toBe('/about')
  },
)

function startFleet(label: string) {
  const files = { 'app/_parts/label.ts': `export const label = '${label}'\n` }
  return startApp({ app: 'fleet', files, mode: 'production' })
}
