import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, startApp } from './harness/app.ts'
import { buildApp } from './harness/appFolder.ts'
import { leapPage } from './harness/arrivals/leapPage.ts'
import { counted } from './harness/arrivals/tab.ts'
import { runWaymark } from './harness/commandLine.ts'
import type { ProxiedRequest } from './harness/faults/fault.ts'
import { type FaultProxy, startFaultProxy } from './harness/faults/proxy.ts'
import { openPage } from './harness/page.ts'
import { heading, visit } from './harness/visit.ts'

/** The output of `waymark arrivals --json` for one route, or the total of all routes. */
type Summary = {
  readonly route?: string | null
  readonly loads: number
  readonly outcomes: Readonly<Record<string, number>>
}

const files = {
  'vite.config.ts': `import { arrivals } from '@waymark/arrivals/vite'
import { waymark } from 'waymark/vite'

export default {
  plugins: [waymark({ navigation: { timeoutMs: 1500, unattendedMs: 1000 } }), arrivals()],
}
`,
  'app/broken/page.tsx': `import { headers } from 'waymark/server'

export default async function Broken() {
  await headers()
  throw new Error('No <b>cart</b> for "you"')
}
`,
  ...leapPage,
}

const options = { app: 'navigation', files, mode: 'production' } as const
const dataOf = (name: string) => (request: ProxiedRequest) =>
  request.target.startsWith(`/_waymark/data/${name}.rsc`)

// The whole suite shares one ledger. A test that ran twice would count its loads twice.
describe('arrivals of real browsers', () => {
  let app: App
  let proxy: FaultProxy
  let isStopped = false
  /** The loads that the tests made, as a count for each route and outcome. */
  const ledger: Record<string, Record<string, number>> = {}
  const did = (route: string, outcome: string) => {
    const outcomes = ledger[route] ?? {}
    ledger[route] = { ...outcomes, [outcome]: (outcomes[outcome] ?? 0) + 1 }
  }

  beforeAll(async () => {
    const root = await buildApp(options)
    rmSync(join(root, '.waymark/journal'), { recursive: true, force: true })
    app = await startApp(options)
    proxy = await startFaultProxy(app.origin)
  })
  afterAll(async () => {
    await proxy?.stop()
    if (!isStopped) await app?.stop()
  })

  const notice = (page: Page) => page.locator('[data-waymark-notice]')

  /**
   * Opens a page, and waits until the page has loaded the code that counts loads. Records the load
   * in the ledger.
   */
  async function open(path: string) {
    const visited = await visit(proxy, path)
    await counted(visited.page)
    did(path, 'page')
    return visited
  }

  const beacons = () =>
    proxy.requests.filter(({ target }) => target === '/_waymark/arrivals').length

  /** Closes a page that has something to report, and waits for the report to be sent. */
  async function close(page: Page): Promise<void> {
    const before = beacons()
    await page.close({ runBeforeUnload: false })
    await expect.poll(beacons).toBeGreaterThan(before)
    proxy.clear()
  }

  test('pages, back, a redirect of an action, and a status', async () => {
    const { page, link } = await open('/')
    await link('Alpha')
    await heading(page, 'Alpha').waitFor()
    did('/a', 'page')
    await page.goBack()
    await heading(page, 'Home').waitFor()
    did('/', 'page')
    await page.evaluate(() => window.router.push('/leap' as '/a'))
    await heading(page, 'Leap').waitFor()
    did('/leap', 'page')
    await page.getByRole('button', { name: 'Jump' }).click()
    await heading(page, 'Beta').waitFor()
    did('/b', 'page')
    await page.evaluate(() => window.router.push('/nowhere' as '/a'))
    did('null', 'fallback')
    await close(page)
  })

  test('page data that is cut once is a page with a retry', async () => {
    const { page, link } = await open('/')
    proxy.inject(
      { kind: 'cut', afterBytes: 1000, ending: 'reset' },
      { match: dataOf('a'), times: 1 },
    )
    await link('Alpha')
    await heading(page, 'Alpha').waitFor()
    did('/a', 'page')
    await close(page)
  })

  test('a cancelled notice and an abandoned load are counted', async () => {
    const { page, link } = await open('/')
    await page.getByLabel('Draft').fill('precious')
    const rule = proxy.inject({ kind: 'hang' }, { match: dataOf('a') })
    await link('Alpha')
    await notice(page).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    did('/a', 'notice')
    await page.getByLabel('Draft').fill('')
    await link('Alpha')
    await expect.poll(() => rule.hits).toBe(2)
    await link('Beta')
    await heading(page, 'Beta').waitFor()
    did('/a', 'left')
    did('/b', 'page')
    await close(page)
  })

  test('an ignored notice ends in a document and counts as one load', async () => {
    const { page, link } = await open('/')
    proxy.inject({ kind: 'hang' }, { match: dataOf('a') })
    await link('Alpha')
    await notice(page).waitFor()
    await heading(page, 'Alpha').waitFor()
    await page.waitForTimeout(1000)
    did('/a', 'notice')
    await close(page)
  })

  test('a page that is closed while it waits has never arrived', async () => {
    const { page, link } = await open('/')
    const rule = proxy.inject({ kind: 'hang' }, { match: dataOf('a') })
    await link('Alpha')
    await expect.poll(() => rule.hits).toBe(1)
    did('/a', 'never')
    await close(page)
  })

  test('failures while offline are reported once, later', async () => {
    const { page, link } = await open('/')
    await page.getByLabel('Draft').fill('precious')
    await page.context().setOffline(true)
    await link('Alpha')
    await notice(page).waitFor()
    did('/a', 'notice')
    const context = page.context()
    await page.close()
    await context.setOffline(false)
    const later = await context.newPage()
    const beacon = later.waitForResponse((response) =>
      response.url().endsWith('/_waymark/arrivals'),
    )
    await later.goto('/b')
    expect((await beacon).status()).toBe(204)
    await counted(later)
    did('/b', 'page')
    await close(later)
  })

  test('a document that is closed before it is counted is reported by the next one', async () => {
    const { page } = await openPage(proxy)
    proxy.inject({ kind: 'hang' }, { match: ({ target }) => target.includes('/recorder-') })
    await page.goto('/long')
    await heading(page, 'Long').waitFor()
    await page.waitForTimeout(500)
    did('/long', 'page')
    await page.close()
    proxy.clear()
    const next = await page.context().newPage()
    await next.goto(`${proxy.origin}/b`)
    await counted(next)
    did('/b', 'page')
    await close(next)
  })

  test('an error is reported with its digest', async () => {
    const { page } = await openPage(proxy)
    await page.goto('/broken')
    await counted(page)
    did('/broken', 'error')
    await close(page)
  })

  test('a browser without scripts reports nothing, but the server counts it', async () => {
    const { page } = await openPage(proxy, { javaScriptEnabled: false })
    await page.goto('/long')
    await heading(page, 'Long').waitFor()
    await page.close()
  })

  test('the report matches the loads', async () => {
    expect(beacons()).toBeGreaterThan(5)
    await app.stop()
    isStopped = true
    const { output, exitCode } = await runWaymark(['arrivals', '--json'], app.root)
    expect([exitCode, output]).toEqual([0, expect.stringMatching(/^\{/)])
    const { all, routes, builds, refused } = JSON.parse(output)
    const outcomesByRoute = Object.fromEntries(
      (routes as Summary[]).map(({ route, outcomes }) => [
        String(route),
        Object.fromEntries(Object.entries(outcomes).filter(([, count]) => count > 0)),
      ]),
    )
    expect(outcomesByRoute).toEqual(ledger)
    expect(refused).toBe(0)
    expect(all.causes).toEqual({ cut: 1, 'timed-out': 2, offline: 1 })
    expect(all.retried).toBe(2)
    expect(all.medianMs).toBeGreaterThan(0)
    expect(all.medianMs).toBeLessThan(2000)
    const { sent, reported, cut } = all.documents
    expect([sent - reported, cut]).toEqual([1, 0])
    const { document, soft } = all.vitals
    expect(document.LCP).toBeGreaterThan(0)
    expect(document.TTFB).toBeGreaterThan(0)
    expect(document.CLS).toBeGreaterThanOrEqual(0)
    expect(soft.LCP).toBeGreaterThan(0)
    expect(builds).toMatchObject([{ build: expect.stringMatching(/^[\w-]{8,}$/) }])
    const table = await runWaymark(['arrivals'], app.root)
    expect(table.output).toContain('never')
  })

  test.each(['light', 'dark'] as const)('the report is a page, %s and in print', async (scheme) => {
    const file = join(app.root, `report-${scheme}.html`)
    const { exitCode, output } = await runWaymark(['arrivals', '--html', file], app.root)
    expect([exitCode, output]).toEqual([0, `The report is in ${file}\n`])
    const { page, expectQuietConsole } = await openPage(app, { colorScheme: scheme })
    await page.goto(pathToFileURL(file).href)
    const loads = Object.values(ledger).flatMap((outcomes) => Object.values(outcomes))
    const total = loads.reduce((sum, count) => sum + count)
    expect(await page.locator('.figures').last().textContent()).toContain(`loads${total}`)
    expect(await page.locator('rect.arrived').count()).toBeGreaterThan(0)
    await page.getByRole('row', { name: '/broken' }).getByRole('link').click()
    const error = page.locator('article:target')
    await error.getByText('Error: No <b>cart</b> for "you"').waitFor()
    await error.getByText('app/broken/page.tsx:5:9').first().waitFor()
    const inkOf = () => page.evaluate(() => getComputedStyle(document.body).color)
    expect(await inkOf()).toBe(scheme === 'dark' ? 'rgb(236, 235, 231)' : 'rgb(29, 28, 26)')
    await page.setViewportSize({ width: 375, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
    await page.emulateMedia({ media: 'print', colorScheme: scheme })
    expect(await inkOf()).toBe('rgb(0, 0, 0)')
    expectQuietConsole()
  })

  test('a minimum for a deploy names the routes that miss it', async () => {
    const judge = (...args: string[]) => runWaymark(['arrivals', ...args], app.root)
    const failing = await judge('--fail-under', '99', '--min-loads', '5')
    expect([failing.exitCode, failing.output]).toEqual([
      1,
      expect.stringMatching(/\n\/a: \d\d\.\d\d % of 7 loads arrived\.\n--fail-under is 99 %\./),
    ])
    const one = await judge('--route', '/', '--fail-under', '99', '--min-loads', '5')
    expect(one.exitCode).toBe(0)
    const few = await judge('--fail-under', '99')
    expect([few.exitCode, few.output]).toEqual([
      1,
      expect.stringContaining('Not enough loads were counted'),
    ])
    const other = await judge('--build', 'none', '--fail-under', '99', '--min-loads', '0')
    expect([other.exitCode, other.output]).toEqual([
      1,
      expect.stringContaining('Not enough loads were counted'),
    ])
  })
})
