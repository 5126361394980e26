import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import type { Fault, ProxiedRequest } from './harness/faults/fault.ts'
import { proxyBefore } from './harness/faults/proxyBefore.ts'
import { body, wrongAnswers } from './harness/faults/wrongAnswers.ts'
import { openPage } from './harness/page.ts'
import { shortTimeouts } from './harness/shortTimeouts.ts'
import { documentId, heading, pathOf, visit } from './harness/visit.ts'

const timeoutMs = 1500
const isData = ({ target }: ProxiedRequest, name: string) =>
  target.startsWith(`/_waymark/data/${name}.rsc`)
const ofData = (request: ProxiedRequest) => isData(request, 'a')
const ofPage = (request: ProxiedRequest) => ofData(request) || request.target === '/a'
const notice = (page: Page) => page.locator('[data-waymark-notice]')
const button = (page: Page, name: string) => page.getByRole('button', { name })

/** Navigates with `router.push`, and returns the result that the app's code gets. */
const pushing = (page: Page, href: string) =>
  page.evaluate((to) => window.router.push(to), href as '/a')

describeApp('faults', { app: 'navigation', files: shortTimeouts }, (served) => {
  const proxy = proxyBefore(served, ['/a', '/b', '/long', '/slow', '/circle'])

  /** Checks that other links work after a fault, and that the fault has left no trace. */
  async function expectWorking(page: Page): Promise<void> {
    proxy.now.clear()
    await page.getByRole('link', { name: 'Beta', exact: true }).click()
    await heading(page, 'Beta').waitFor()
    expect(pathOf(page)).toBe('/b')
    expect(await notice(page).count()).toBe(0)
  }

  describe('page data with a fault still leads to the page', () => {
    test.each(Object.entries(wrongAnswers))('%s', async (_, faults) => {
      const { page, link } = await visit(proxy.now, '/')
      // Test only a third of the faults in development, where documents are slow and the browser's
      // code is the same.
      const isOne = (at: number) => served.mode === 'production' || at % 3 === 1
      const some = Object.entries(faults).filter((_, at) => isOne(at))
      for (const [name, fault] of some) {
        const rule = proxy.now.inject(fault, { match: ofData })
        await link('Alpha')
        await heading(page, 'Alpha')
          .waitFor()
          .catch((cause) => expect.fail(`${name}: ${cause}`))
        expect([name, pathOf(page), rule.hits > 0]).toEqual([name, '/a', true])
        await expectWorking(page)
        await link('Home')
        await heading(page, 'Home').waitFor()
      }
    })

    test('page data that is broken once is fetched again, within the document', async () => {
      const { page, link, first } = await visit(proxy.now, '/')
      const once = { match: ofData, times: 1 }
      proxy.now.inject({ kind: 'cut', afterBytes: 1000, ending: 'clean' }, once)
      await link('Alpha')
      await heading(page, 'Alpha').waitFor()
      expect(await documentId(page)).toBe(first)
    })
  })

  describe('page data that does not arrive', () => {
    test('times out if nobody reacts, and ends in a document at the target', async () => {
      const { page, first } = await visit(proxy.now, '/')
      const outcomes: string[] = []
      await page.exposeFunction('tellOutcome', (outcome: string) => outcomes.push(outcome))
      proxy.now.inject({ kind: 'hang' }, { match: ofData })
      const startedAtMs = Date.now()
      await page.evaluate(() => {
        const { tellOutcome } = window as unknown as { tellOutcome(outcome: string): void }
        void window.router.push('/a').then(tellOutcome)
      })
      await notice(page).waitFor()
      expect(Date.now() - startedAtMs).toBeGreaterThan(timeoutMs - 100)
      expect(await heading(page, 'Home').isVisible()).toBe(true)
      await heading(page, 'Alpha').waitFor()
      expect(await documentId(page)).not.toBe(first)
      expect(outcomes).toEqual(['timed-out'])
      await expectWorking(page)
    })

    test('keeps the page with typed text until the person chooses', async () => {
      const { page, link, first } = await visit(proxy.now, '/')
      await page.getByLabel('Draft').fill('precious')
      const rule = proxy.now.inject({ kind: 'hang' }, { match: ofData })
      await link('Alpha')
      await notice(page).waitFor()
      // Wait longer than the time after which a notice would disappear if no input could be lost.
      await page.waitForTimeout(1800)
      expect(await page.evaluate(() => window.events)).toContain('timeout /a')
      expect(await page.getByLabel('Draft').inputValue()).toBe('precious')
      expect(await documentId(page)).toBe(first)
      await button(page, 'Keep waiting').click()
      await expect.poll(() => notice(page).count()).toBe(0)
      await notice(page).waitFor()
      rule.remove()
      await button(page, 'Reload').click()
      await heading(page, 'Alpha').waitFor()
      expect(pathOf(page)).toBe('/a')
    })

    test('can be cancelled: everything stays as it was, and other links work', async () => {
      const { page, link } = await visit(proxy.now, '/')
      await page.getByLabel('Draft').fill('precious')
      proxy.now.inject({ kind: 'stall', afterBytes: 100 }, { match: ofData })
      const outcome = pushing(page, '/a')
      await notice(page).waitFor()
      await button(page, 'Cancel').click()
      expect(await outcome).toBe('timed-out')
      expect(await notice(page).count()).toBe(0)
      expect([pathOf(page), await page.getByLabel('Draft').inputValue()]).toEqual(['/', 'precious'])
      await page.getByLabel('Draft').fill('')
      await link('Alpha')
      await expectWorking(page)
    })

    test('shows a notice if it is slow, and still arrives', async () => {
      const { page, first } = await visit(proxy.now, '/')
      const outcome = pushing(page, '/slow?ms=4000')
      await notice(page).getByText('This page is still loading.').waitFor()
      expect(await page.locator('#state').textContent()).toBe('late')
      await heading(page, 'Slow one').waitFor()
      expect([await outcome, await documentId(page)]).toEqual(['committed', first])
    })

    test('is waited for if it arrives slowly', async () => {
      const { page, link, first } = await visit(proxy.now, '/')
      proxy.now.inject({ kind: 'slow', bytesPerSecond: 4000 }, { match: ofData })
      await link('Alpha')
      await heading(page, 'Alpha').waitFor()
      expect(await documentId(page)).toBe(first)
    })

    test('does not block back, forward or a refresh', async () => {
      const { page, link } = await visit(proxy.now, '/b')
      await link('Home')
      await heading(page, 'Home').waitFor()
      proxy.now.inject({ kind: 'hang' }, { match: ofData })
      await link('Alpha')
      await page.goBack()
      await heading(page, 'Beta').waitFor()
      expect(pathOf(page)).toBe('/b')
      proxy.now.inject({ kind: 'hang' }, { match: (request) => isData(request, 'b') })
      await page.evaluate(() => void window.router.refresh())
      await link('Long')
      await heading(page, 'Long').waitFor()
      expect(pathOf(page)).toBe('/long')
    })
  })

  describe('a hydrated page whose router has not loaded', () => {
    const ofRouter = ({ target }: ProxiedRequest) => /\/routerChunk-[\w-]+\.js/.test(target)

    /** Opens a page in a browser that is never idle, so that the page's router doesn't start. */
    async function openBeforeRouter(fault: Fault, times = Number.POSITIVE_INFINITY) {
      const rule = proxy.now.inject(fault, { match: ofRouter, times })
      const { page } = await openPage(proxy.now)
      await page.addInitScript(() => {
        window.requestIdleCallback = () => 0
      })
      await page.goto('/')
      await page.waitForFunction(() => 'router' in window)
      return { page, rule, first: await documentId(page) }
    }

    test('queues a click, and carries it out', async () => {
      const { page, rule, first } = await openBeforeRouter({ kind: 'delay', ms: 1200 })
      expect(rule.hits).toBe(0)
      await page.getByLabel('Draft').fill('precious')
      await page.getByRole('link', { name: 'Alpha', exact: true }).click()
      expect(await page.locator('#target').textContent()).toBe('/a')
      // Check the link's attributes only in production. In development, React would warn about
      // attributes that it finds while it hydrates.
      const marked = page.locator('a[data-pending][aria-busy=true]')
      if (served.mode === 'production') expect(await marked.textContent()).toBe('Alpha')
      await heading(page, 'Alpha').waitFor()
      expect([pathOf(page), await documentId(page), rule.hits]).toEqual(['/a', first, 1])
      await page.goBack()
      expect(await page.getByLabel('Draft').inputValue()).toBe('precious')
    })

    test('is not left for a missing router if text was typed', async () => {
      const { page, first } = await openBeforeRouter({ kind: 'hang' })
      await page.getByLabel('Draft').fill('precious')
      const outcome = pushing(page, '/a')
      await page.waitForTimeout(timeoutMs + 500)
      expect([pathOf(page), await documentId(page)]).toEqual(['/', first])
      expect(await page.getByLabel('Draft').inputValue()).toBe('precious')
      await page.locator('#cancel').click()
      expect(await outcome).toBe('timed-out')
    })

    test('goes to the document if nothing would be lost', async () => {
      const { page, first } = await openBeforeRouter({ kind: 'hang' }, 1)
      await page.getByRole('link', { name: 'Alpha', exact: true }).click()
      await heading(page, 'Alpha').waitFor()
      expect(await documentId(page)).not.toBe(first)
      await expectWorking(page)
    })

    test('shows a message with links for an error outside of every boundary', async () => {
      const { page } = await openBeforeRouter(body('not found', 404))
      await page.locator('#fail').click()
      await heading(page, 'Something went wrong on this page.').waitFor()
      expect(await page.title()).toBe('Application error')
      // In development, the dev server's overlay shows the error instead.
      if (served.mode === 'dev') return
      proxy.now.clear()
      await page.getByRole('link', { name: 'Reload' }).click()
      await heading(page, 'Home').waitFor()
      await expectWorking(page)
    })
  })

  describe('if the document fails, too', () => {
    const away: Readonly<Record<string, Fault>> = {
      'is reset': { kind: 'reset' },
      hangs: { kind: 'hang' },
      'is a gateway’s 502': body('<h1>Bad Gateway</h1>', 502),
      'is a portal’s page': body('<h1>Sign in to the network</h1>'),
    }
    test.each(Object.entries(away))(
      'the page stays, and the navigation arrives when it can: %s',
      async (_, fault) => {
        const { page, link, first } = await visit(proxy.now, '/')
        await page.getByLabel('Draft').fill('precious')
        await page.getByLabel('Draft').fill('')
        proxy.now.inject(fault, { match: ofPage })
        await link('Alpha')
        await button(page, 'Retry').waitFor()
        expect(await heading(page, 'Home').isVisible()).toBe(true)
        expect([pathOf(page), await documentId(page)]).toEqual(['/', first])
        expect(await page.evaluate(() => window.events)).toContain('error /a')
        proxy.now.clear()
        await heading(page, 'Alpha').waitFor()
        expect(pathOf(page)).toBe('/a')
        await expectWorking(page)
      },
    )

    test('a redirect loop shows a notice, and leaves the page as it is', async () => {
      const { page, link } = await visit(proxy.now, '/')
      await link('Circle')
      await notice(page).getByText('keeps redirecting').waitFor()
      expect(pathOf(page)).toBe('/')
      await expectWorking(page)
    })

    test('offline: it waits, and arrives when the network is back', async () => {
      const { page, link, first } = await visit(proxy.now, '/')
      await page.context().setOffline(true)
      await link('Alpha')
      await notice(page).getByText('offline').waitFor()
      await page.context().setOffline(false)
      await heading(page, 'Alpha').waitFor()
      expect(await documentId(page)).toBe(first)
      await expectWorking(page)
    })

    test('a server that restarts in between', async () => {
      const { page, link, first } = await visit(proxy.now, '/')
      proxy.now.forwardTo('http://localhost:9')
      await link('Alpha')
      await notice(page).waitFor()
      proxy.now.forwardTo(served.app.origin)
      await heading(page, 'Alpha').waitFor()
      expect(await documentId(page)).toBe(first)
    })
  })
})
