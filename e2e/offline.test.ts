import { describe, expect, onTestFinished, test } from 'vitest'
import { startFaultProxy } from './harness/faults/proxy.ts'
import {
  ageLine,
  cachedPaths,
  see,
  seeAndLeave,
  startOfflineApp,
  untilCached,
} from './harness/offlineApp.ts'
import { openPage } from './harness/page.ts'
import { heading } from './harness/visit.ts'

describe('without a network', () => {
  test('a visited page opens by click, reload, Back, deep link, and in a new tab', async () => {
    const app = await startOfflineApp()
    const { page } = await openPage(app)
    await seeAndLeave(page, '/read')
    await app.end()

    await page.getByRole('link', { name: '/read' }).click()
    await heading(page, 'Read').waitFor()
    await ageLine(page).waitFor()
    await page.getByRole('button', { name: 'Counted 0' }).click()
    await page.getByRole('button', { name: 'Counted 1' }).waitFor()
    await page.reload()
    await heading(page, 'Read').waitFor()
    await ageLine(page).waitFor()
    await page.goBack()
    await heading(page, 'Home').waitFor()
    const tab = await page.context().newPage()
    await tab.goto('/read')
    await heading(tab, 'Read').waitFor()
    await tab.getByRole('button', { name: 'Counted 0' }).click()
    await tab.getByRole('button', { name: 'Counted 1' }).waitFor()
    await ageLine(tab).waitFor()
  })

  test('a page that was cached in advance opens with its code, although it was never shown', async () => {
    const app = await startOfflineApp()
    const { page, expectQuietConsole } = await openPage(app)
    await page.goto('/')
    await untilCached(page, '/later')
    await app.end()
    await page.goto('/later')
    await heading(page, 'Later').waitFor()
    await page.getByRole('button', { name: 'Counted 0' }).click()
    await page.getByRole('button', { name: 'Counted 1' }).waitFor()
    expectQuietConsole([/net::ERR_/])
  })

  test('images, fonts and styles of a page are shown', async () => {
    const app = await startOfflineApp()
    const { page } = await openPage(app)
    await see(page, '/pictures')
    await app.end()
    const tab = await page.context().newPage()
    await tab.goto('/pictures')
    await heading(tab, 'Pictures').waitFor()
    const assets = () =>
      tab.evaluate(async () => ({
        width: document.querySelector('img')?.naturalWidth,
        font: (await document.fonts.load('16px Own')).length,
        color: getComputedStyle(document.querySelector('h1') as Element).color,
      }))
    await expect.poll(assets).toEqual({ width: 8, font: 1, color: 'rgb(10, 80, 160)' })
  })

  test('the age line disappears when the network is back, and typed text stays', async () => {
    const app = await startOfflineApp()
    const { page } = await openPage(app)
    await seeAndLeave(page, '/write')
    await app.end()
    await page.getByRole('link', { name: '/write' }).click()
    await ageLine(page).waitFor()
    await page.getByRole('textbox', { name: 'Text' }).fill('typed')
    await app.again()
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await ageLine(page).waitFor({ state: 'detached' })
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('typed')
  })

  test('a document without a router is refreshed without a click', async () => {
    const app = await startOfflineApp()
    const { page } = await openPage(app)
    await see(page, '/')
    await app.end()
    await page.reload()
    await ageLine(page).waitFor()
    await app.again()
    await ageLine(page).waitFor({ state: 'detached' })
    await heading(page, 'Home').waitFor()
  })
})

describe('on a connection that only seems to be online', () => {
  test('a cached page is shown within the limit: by click, and as a document', async () => {
    const app = await startOfflineApp()
    const proxy = await startFaultProxy(app.origin)
    onTestFinished(() => proxy.stop())
    const { page } = await openPage(proxy)
    await seeAndLeave(page, '/read')
    proxy.inject({ kind: 'hang' }, { match: () => true })
    const startedAtMs = Date.now()
    await page.getByRole('link', { name: '/read' }).click()
    await heading(page, 'Read').waitFor()
    const clickMs = Date.now() - startedAtMs
    expect(clickMs).toBeGreaterThan(3_000)
    expect(clickMs).toBeLessThan(4_500)
    await ageLine(page).waitFor()
    await page.reload({ waitUntil: 'commit' })
    await heading(page, 'Read').waitFor()
    expect(Date.now() - startedAtMs - clickMs).toBeLessThan(5_500)
  })

  test('a page that must be current is never shown from the cache', async () => {
    const app = await startOfflineApp()
    const { page } = await openPage(app)
    await seeAndLeave(page, '/read')
    await app.end()
    const fetched = (headers: Record<string, string>) =>
      page.evaluate(async (headers) => {
        const response = await fetch('/_waymark/data/read.rsc', { headers }).catch(() => null)
        return response?.status ?? 'no network'
      }, headers)
    expect(await fetched({})).toBe(200)
    expect(await fetched({ 'waymark-fresh': '1' })).toBe('no network')
  })

  test('a document that is always late is not reloaded again and again', async () => {
    const app = await startOfflineApp()
    const proxy = await startFaultProxy(app.origin)
    onTestFinished(() => proxy.stop())
    const { page } = await openPage(proxy)
    await see(page, '/')
    const delay = proxy.inject(
      { kind: 'delay', ms: 4_500 },
      { match: ({ headers }) => headers['sec-fetch-mode'] === 'navigate' },
    )
    await page.reload({ waitUntil: 'commit' })
    await ageLine(page).waitFor()
    // The second request is the page's automatic reload.
    await expect.poll(() => delay.hits).toBe(2)
    await page.waitForTimeout(11_000)
    await ageLine(page).waitFor()
    expect(delay.hits).toBe(2)
  })
})

describe('with a network', () => {
  test('private, failed and redirected pages, and pages that opt out, are not cached', async () => {
    const app = await startOfflineApp()
    const { page } = await openPage(app)
    await see(page, '/read')
    for (const path of ['/account', '/never', '/broken', '/missing', '/members']) {
      await page.goto(path)
      await page.waitForTimeout(300)
    }
    // Wait until this page is cached. It was requested last, so the pages before it would be cached
    // by now.
    await see(page, '/login')
    expect(await cachedPaths(page)).toEqual(['/later', '/login', '/read'])
    const texts = await page.evaluate(async () => {
      const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
      const all = (await Promise.all(caches_.map((cache) => cache.matchAll()))).flat()
      return (await Promise.all(all.map((response) => response.text()))).join()
    })
    expect(texts).not.toContain('Account of')
  })

  test('page data that was cut is not cached', async () => {
    const app = await startOfflineApp()
    const proxy = await startFaultProxy(app.origin)
    onTestFinished(() => proxy.stop())
    const { page } = await openPage(proxy)
    await see(page, '/')
    const cut = proxy.inject(
      { kind: 'cut', afterBytes: 200, ending: 'clean' },
      { match: ({ target }) => target.includes('/_waymark/data/read') },
    )
    await page.goto('/read')
    await expect.poll(() => cut.hits).toBeGreaterThan(0)
    await see(page, '/pictures')
    expect(await cachedPaths(page)).not.toContain('/read')
  })

  test('the app runs if the browser forbids the worker', async () => {
    const app = await startOfflineApp()
    const { page, expectQuietConsole } = await openPage(app, { serviceWorkers: 'block' })
    await page.goto('/read')
    await page.getByRole('button', { name: 'Counted 0' }).click()
    await page.getByRole('link', { name: '/write' }).click()
    await heading(page, 'Write').waitFor()
    // Playwright itself logs this warning.
    expectQuietConsole([/blocked by Playwright/])
  })
})
