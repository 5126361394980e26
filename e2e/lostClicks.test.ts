import { type ProxiedRequest, startFaultProxy } from '@waymark/testing'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chromium } from '../scripts/workspace/systemTools.mjs'
import { sharedBrowser } from './harness/browser.ts'
import { describeModes } from './harness/describeModes.ts'
import { holdRequests } from './harness/holdRequests.ts'
import { cases } from './harness/lostClicks/cases.mjs'
import { openFramePages } from './harness/lostClicks/framePages.mjs'
import { isOnPage, readOutcome, runCase } from './harness/lostClicks/outcome.mjs'

// Runs each case once. `npm --prefix research run lost-clicks` runs the cases many times, also in
// other frameworks.

let browser: Browser
beforeAll(async () => {
  browser = await sharedBrowser()
})

/** Calls `act` with a page in its own browser context. */
async function inPage<Result>(baseURL: string, act: (page: Page) => Promise<Result>) {
  const context = await browser.newContext({ baseURL })
  try {
    return await act(await context.newPage())
  } finally {
    await context.close()
  }
}

const app = { app: 'lostClicks', modes: ['production'] } as const

describeModes('a click that other frameworks have lost', app, (served) => {
  test.concurrent.each(cases)('$name', async ({ name, ...each }) => {
    const { kind } = await runCase(each, served.app.origin, ({ origin }, act) =>
      inPage(origin, act),
    )
    // If the data stalls in every attempt, the page can't be shown.
    expect(kind).toBe(name === 'the data stalls half way' ? 'notice' : 'page')
  })

  test('arrives while a document is loading that would replace the page', async () => {
    const proxy = await startFaultProxy(served.app.origin)
    onTestFinished(() => proxy.stop())
    const isOf = (dest: string) => (request: ProxiedRequest) =>
      request.headers['sec-fetch-dest'] === dest
    await inPage(proxy.origin, async (page) => {
      await page.goto('/start')
      await page.waitForLoadState('networkidle')
      const hang = proxy.inject({ kind: 'hang' }, { match: isOf('empty') })
      await page.click('a[href="/items?q=1"]')
      const reload = page.locator('[data-waymark-notice] button').nth(1)
      await reload.waitFor()
      hang.remove()
      proxy.inject({ kind: 'delay', ms: 3000 }, { match: isOf('document') })
      // Click with a function, because Playwright would wait for the document before it clicks.
      await reload.evaluate((button) => {
        const other = document.querySelector<HTMLElement>('a[href="/small?q=1"]')
        setTimeout(() => other?.click(), 300)
        ;(button as HTMLElement).click()
      })
      const small = { path: '/small', heading: 'A small dynamic page' }
      await page.waitForFunction(isOnPage, small)
      // Wait longer than the delay of the document, which must not replace the page.
      await page.waitForTimeout(3500)
      expect(await page.evaluate(isOnPage, small)).toBe(true)
    })
  })

  // Firefox and Safari cancel a page's requests when they start to load a document. Chromium
  // cancels these requests later.
  test('arrives if its document has canceled the code of the page', async () => {
    await inPage(served.app.origin, async (page) => {
      const code = await holdRequests(page, /\/assets\/(?:counter|routerChunk)-/)
      const target = await holdRequests(page, '/own?q=1')
      await page.goto('/start', { waitUntil: 'commit' })
      await expect.poll(() => page.evaluate(hasReactRoot)).toBe(true)
      // Click in the next task, because Playwright would wait for the document.
      await page.evaluate(clickInNextTask, 'a[href="/own?q=1"]')
      await target.held
      await code.end('abort')
      await page.waitForTimeout(1000)
      await target.end('continue')
      await page.waitForFunction(isOnPage, { path: '/own', heading: 'A page with 100 items' })
    })
  })

  test('before Back does not prevent it, although Back has canceled the code of the router', async () => {
    await inPage(served.app.origin, async (page) => {
      await page.goto('/start')
      await page.waitForLoadState('networkidle')
      const router = await holdRequests(page, /\/assets\/routerChunk-/)
      await page.goto('/small?q=1')
      const start = await holdRequests(page, '/start')
      await page.evaluate(clickInNextTask, 'a[href="/items?q=1"]')
      await router.held
      await page.evaluate(() => history.back())
      await start.held
      await router.end('abort')
      await page.waitForTimeout(1000)
      await start.end('continue')
      const before = { path: '/start', heading: 'Start' }
      await page.waitForFunction(isOnPage, before)
      await page.waitForTimeout(1000)
      expect(await page.evaluate(isOnPage, before)).toBe(true)
    })
  })

  test('arrives in a browser without remote control, too', async () => {
    const flags = '--headless --no-sandbox --disable-gpu --user-data-dir={profile}'
    const pages = await openFramePages(`${chromium.find()} ${flags}`)
    const chosen = cases.filter(({ name }) => /hydration|second|Back|prefetch/.test(name))
    try {
      for (const each of chosen) {
        const { kind } = await runCase(each, served.app.origin, pages.inPage)
        expect([each.name, kind]).toEqual([each.name, 'page'])
      }
    } finally {
      await pages.close()
    }
  })
})

/** True if React has hydrated the document. Runs in the page. */
function hasReactRoot(): boolean {
  return Object.keys(document).some((key) => key.startsWith('__reactContainer'))
}

/** Clicks an element in the next task. Runs in the page. */
function clickInNextTask(selector: string): void {
  setTimeout(() => document.querySelector<HTMLElement>(selector)?.click())
}

describe('the content instead of a page counts as', () => {
  const before = '<h1>Start</h1><a href="/own">Own</a>'
  const hidden = 'style="position: absolute; width: 1px; height: 1px; overflow: hidden"'

  test.each([
    ['lost', 'the page before', before],
    ['lost', 'nothing', '<main></main><script>const text = 1</script>'],
    ['lost', 'an announcer', `${before}<p role="alert" ${hidden}>Start</p>`],
    ['lost', 'a live region without text', `${before}<p role="status"> </p>`],
    ['notice', 'a notice', `${before}<p role="status">Own is late</p>`],
    ['notice', 'a dialog', `${before}<dialog open>Retry</dialog>`],
    ['screen', 'an error screen', '<h1>Something went wrong</h1>'],
    ['screen', 'one in a box without a size', '<div style="display: contents"><h1>500</h1></div>'],
    ['screen', 'a screen without a heading', '<p>Application error</p>'],
  ])('%s: %s', async (kind, _, html) => {
    const outcome = await inPage('http://localhost', async (page) => {
      await page.setContent(html)
      return page.evaluate(readOutcome)
    })
    expect(outcome).toBe(kind)
  })
})
