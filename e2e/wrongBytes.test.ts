import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import type { ProxiedRequest } from './harness/faults/fault.ts'
import { proxyBefore } from './harness/faults/proxyBefore.ts'
import { openPage } from './harness/page.ts'
import { shortTimeouts } from './harness/shortTimeouts.ts'
import { documentId, heading, pathOf, visit } from './harness/visit.ts'

const ofData = ({ target }: ProxiedRequest) => target.startsWith('/_waymark/data/a.rsc')
const notice = (page: Page) => page.locator('[data-waymark-notice]')
const button = (page: Page, name: string) => notice(page).getByRole('button', { name, exact: true })

describeApp(
  'responses that a cache or a proxy mixes up',
  { app: 'navigation', files: shortTimeouts },
  (served) => {
    const proxy = proxyBefore(served, ['/a', '/b', '/parts'])
    const swap = { kind: 'swap', path: '/_waymark/data/b.rsc' } as const

    test('page data of another URL is fetched again, past caches', async () => {
      const { page, link, first } = await visit(proxy.now, '/')
      const rule = proxy.now.inject(swap, { match: ofData, times: 1 })
      await link('Alpha')
      await heading(page, 'Alpha').waitFor()
      const [, again] = proxy.now.requests.filter(ofData)
      expect(rule.hits).toBe(1)
      expect(again?.headers['cache-control']).toBe('no-cache')
      expect([pathOf(page), await documentId(page)]).toEqual(['/a', first])
    })

    test('page data that has another URL each time leads to the document', async () => {
      const { page, link, first } = await visit(proxy.now, '/')
      proxy.now.inject(swap, { match: ofData })
      await link('Alpha')
      await heading(page, 'Alpha').waitFor()
      expect(pathOf(page)).toBe('/a')
      await expect.poll(() => documentId(page)).not.toBe(first)
    })

    test('page data of the same path with another query is not shown', async () => {
      const { page, first } = await visit(proxy.now, '/')
      const path = '/_waymark/data/slow.rsc?ms=1&n=2'
      proxy.now.inject(
        { kind: 'swap', path },
        { match: ({ target }) => target.includes('slow.rsc') },
      )
      await page.evaluate(() => void window.router.push('/slow?ms=1&n=1' as '/slow'))
      await heading(page, 'Slow 1').waitFor()
      await expect.poll(() => documentId(page)).not.toBe(first)
    })

    test.each(['/b', '/parts?ms=50'])(
      'a document that arrives twice is shown once: %s',
      async (path) => {
        const html = await (await served.fetch(path)).text()
        proxy.now.inject(
          { kind: 'replace', body: html + html },
          { match: ({ target }) => target === path },
        )
        const { page } = await openPage(proxy.now)
        await page.goto(path)
        await page.waitForFunction(() => 'router' in window)
        await expect.poll(() => page.locator('h1').count()).toBe(1)
        expect(await page.locator('nav').count()).toBe(1)
        proxy.now.clear()
        await page.getByRole('link', { name: 'Alpha', exact: true }).click()
        await heading(page, 'Alpha').waitFor()
        expect(await page.locator('h1:visible').count()).toBe(1)
      },
    )
  },
)

describeApp(
  'page data that arrives slowly',
  { app: 'navigation', files: shortTimeouts },
  (served) => {
    const proxy = proxyBefore(served, ['/a'])

    test('shows a notice as soon as a silent response would, and is not abandoned automatically', async () => {
      const { page, link } = await visit(proxy.now, '/')
      proxy.now.inject({ kind: 'slow', bytesPerSecond: 60 }, { match: ofData })
      const clickedAtMs = Date.now()
      await link('Alpha')
      await notice(page).waitFor()
      expect(Date.now() - clickedAtMs).toBeLessThan(1500 + 1500)
      expect(await notice(page).locator('span').textContent()).toBe('This page is still loading.')
      expect(await notice(page).getByRole('button').allTextContents()).toEqual([
        'Keep waiting',
        'Reload',
        'Cancel',
      ])
      await page.waitForTimeout(3000)
      expect(proxy.now.requests.filter(ofData)).toHaveLength(1)
      await button(page, 'Reload').click()
      await heading(page, 'Alpha').waitFor()
    })
  },
)

describeApp(
  'a fetch that another script has broken',
  { app: 'navigation', files: shortTimeouts },
  (served) => {
    const broken: Readonly<Record<string, () => unknown>> = {
      throws: () => {
        window.fetch = () => {
          throw new TypeError('blocked')
        }
      },
      'gives nothing': () => {
        // Replace `fetch` as a third party's script might, with a function of the wrong type.
        Object.assign(window, { fetch: async () => undefined })
      },
      'never ends': () => {
        window.fetch = () => new Promise(() => {})
      },
    }

    describe.each(Object.entries(broken))('%s', (_, breakFetch) => {
      test('leads to the document', async () => {
        const { page, link, first } = await visit(served.app, '/')
        await page.evaluate(breakFetch)
        await link('Alpha')
        await heading(page, 'Alpha').waitFor()
        expect(await documentId(page)).not.toBe(first)
      })

      test('keeps typed text, and offers the document', async () => {
        const { page, link, first } = await visit(served.app, '/')
        await page.getByLabel('Draft').fill('precious')
        await page.evaluate(breakFetch)
        await link('Alpha')
        await notice(page).waitFor()
        expect(await page.getByLabel('Draft').inputValue()).toBe('precious')
        expect(await documentId(page)).toBe(first)
        await notice(page)
          .getByRole('button', { name: /^(Reload|Open page)$/ })
          .click()
        await heading(page, 'Alpha').waitFor()
      })
    })
  },
)

describeApp(
  'page data with a late and broken end',
  { app: 'navigation', files: shortTimeouts },
  (served) => {
    const proxy = proxyBefore(served, ['/', '/ends', '/ends/caught'])
    const brokenEnd = { kind: 'corrupt-late', ms: 1000, byte: 60 } as const
    const ofEnds = ({ target }: ProxiedRequest) => target.startsWith('/_waymark/data/ends')
    const ofCall = ({ method, headers }: ProxiedRequest) =>
      method === 'POST' && 'waymark-action' in headers
    const end = (page: Page) => page.locator('.end:visible')
    const push = (page: Page, path: string) =>
      page.evaluate((to) => void window.router.push(to as '/ends'), path)
    const draftOf = (page: Page) =>
      page.evaluate(() => document.querySelector<HTMLInputElement>('#draft input')?.value)

    /** Opens the page, and fills in an uncontrolled and a controlled field. */
    async function typeIntoEnds(path: string) {
      const visited = await visit(proxy.now, path)
      const { page } = visited
      await end(page).waitFor()
      await page.getByLabel('Note').fill('a note')
      await page.getByLabel('Remark').fill('a remark')
      const typed = async () => [
        await page.getByLabel('Note').inputValue({ timeout: 1000 }),
        await page.getByLabel('Remark').inputValue({ timeout: 1000 }),
      ]
      return { ...visited, typed }
    }

    describe.each(['/ends', '/ends/caught'])('%s', (path) => {
      test('once: the navigation is repaired, and the previous page keeps its text', async () => {
        const { page, first, expectQuietConsole } = await visit(proxy.now, '/')
        await page.getByLabel('Draft').fill('precious')
        const rule = proxy.now.inject(brokenEnd, { match: ofEnds, times: 1 })
        await push(page, path)
        await heading(page, 'Ends').waitFor()
        await end(page).waitFor()
        expect(rule.hits).toBe(1)
        expect(await draftOf(page)).toBe('precious')
        await page.goBack()
        await heading(page, 'Home').waitFor()
        expect(await page.getByLabel('Draft').inputValue()).toBe('precious')
        expect(await documentId(page)).toBe(first)
        expectQuietConsole()
      })

      test('each time: the text stays, and no document replaces it', async () => {
        const { page, first } = await visit(proxy.now, '/')
        await page.getByLabel('Draft').fill('precious')
        const rule = proxy.now.inject(brokenEnd, { match: ofEnds })
        await push(page, path)
        await heading(page, 'Ends').waitFor()
        await notice(page).waitFor()
        await page.waitForTimeout(2000)
        expect([await draftOf(page), await documentId(page)]).toEqual(['precious', first])
        rule.remove()
        await end(page).waitFor()
        await notice(page).waitFor({ state: 'detached' })
        expect([await draftOf(page), await documentId(page)]).toEqual(['precious', first])
      })

      test.each([1, 2])('a refresh, %i times: typed text stays', async (times) => {
        const { page, first, typed } = await typeIntoEnds(path)
        const rule = proxy.now.inject(brokenEnd, { match: ofEnds, times })
        await page.evaluate(() => window.router.refresh())
        await expect.poll(() => rule.hits).toBe(times)
        await page.waitForTimeout(1500)
        expect(await typed()).toEqual(['a note', 'a remark'])
        expect(await end(page).count()).toBe(1)
        expect(await documentId(page)).toBe(first)
      })

      test('the response to an action: typed text stays', async () => {
        const { page, first, typed } = await typeIntoEnds(path)
        const rule = proxy.now.inject(brokenEnd, { match: ofCall, times: 1 })
        await page.getByRole('button', { name: 'Again' }).click()
        await expect.poll(() => rule.hits).toBe(1)
        await page.waitForTimeout(2500)
        expect(await typed()).toEqual(['a note', 'a remark'])
        expect(await end(page).count()).toBe(1)
        expect(await documentId(page)).toBe(first)
      })
    })

    test('a refresh, each time: the document that is opened in the end has the typed text', async () => {
      const { page, first, typed } = await typeIntoEnds('/ends')
      proxy.now.inject(brokenEnd, { match: ofEnds })
      await page.evaluate(() => void window.router.refresh())
      await notice(page).waitFor()
      expect(await typed()).toEqual(['a note', 'a remark'])
      await button(page, 'Open page').click()
      await page.waitForFunction((id) => window.documentId && window.documentId !== id, first)
      await expect.poll(() => page.locator('#remark').textContent()).toBe('a remark')
      expect(await typed()).toEqual(['a note', 'a remark'])
    })

    test.each([
      ['/ends/caught?throws=1', 'Caught'],
      ['/ends?throws=1', /^Application error/],
    ])('a component that throws late is an error at once: %s', async (path, name) => {
      const { page } = await visit(proxy.now, '/')
      await page.getByLabel('Draft').fill('precious')
      await push(page, path)
      await page.getByRole('heading', { name }).waitFor({ timeout: 2000 })
      if (name !== 'Caught') return
      await page.goBack()
      await heading(page, 'Home').waitFor()
      expect(await page.getByLabel('Draft').inputValue()).toBe('precious')
    })
  },
)
