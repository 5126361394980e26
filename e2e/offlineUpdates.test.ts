import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startFaultProxy } from './harness/faults/proxy.ts'
import { ageLine, see, startOfflineApp, untilCached } from './harness/offlineApp.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { heading } from './harness/visit.ts'

// Tests updates of the service worker that stop halfway.

const workerPath = '/_waymark/offline.js'
const screenPath = '/_waymark/offline.html'

const next = {
  'app/read/page.tsx': `import { Counter } from '../counter.tsx'
export default () => <><h1>Read anew</h1><Counter /></>
`,
}

async function startBehindProxy() {
  const app = await startOfflineApp()
  const proxy = await startFaultProxy(app.origin)
  onTestFinished(() => proxy.stop())
  return { app, proxy }
}

const at = (path: string) => ({ match: ({ target }: { target: string }) => target === path })

/** Returns the number of entries in each cache, by the cache's name. */
function cacheSizes(page: Page): Promise<Record<string, number>> {
  return page.evaluate(async () => {
    const sizes: Record<string, number> = {}
    for (const name of await caches.keys()) {
      sizes[name] = (await (await caches.open(name)).keys()).length
    }
    return sizes
  })
}

function workerStates(page: Page) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    const { installing, waiting, active } = registration ?? {}
    return { installing: installing?.state, waiting: waiting?.state, active: active?.state }
  })
}

/**
 * Waits until a build's cache contains a page with a text. Doesn't count the copies of a page,
 * because the worker deletes the old build's cache soon after it has cached the pages anew.
 */
async function untilCachedWith(page: Page, path: string, text: string): Promise<void> {
  const cachedTexts = () =>
    page.evaluate(async (url) => {
      const texts: string[] = []
      for (const name of await caches.keys()) {
        const response = await (await caches.open(name)).match(url)
        if (response) texts.push(await response.text())
      }
      return texts
    }, path)
  await expect.poll(cachedTexts).toContainEqual(expect.stringContaining(text))
}

/** Makes the browser check for a new worker, as it does when a document loads. */
async function update(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.update().catch(() => {})
  })
}

test('the worker of an open tab does not touch what a newer worker is caching', async () => {
  const { app, proxy } = await startBehindProxy()
  const { page } = await openPage(proxy)
  await see(page, '/read')
  await untilCached(page, '/later')
  const [former = ''] = Object.keys(await cacheSizes(page))
  await app.end()
  await app.again(next)
  const hanging = proxy.inject({ kind: 'hang' }, at('/later'))
  await update(page)
  await expect.poll(() => hanging.hits).toBeGreaterThan(0)
  expect((await workerStates(page)).installing).toBe('installing')
  const newer = () => cacheSizes(page).then(({ [former]: _, ...others }) => others)
  const [before] = Object.values(await newer())
  expect(before).toBeGreaterThan(0)
  // A page of the old build still works, and the old build's worker caches it.
  await page.getByRole('link', { name: '/', exact: true }).click()
  await heading(page, 'Home').waitFor()
  await page.waitForTimeout(1_500)
  expect(Object.values(await newer())).toEqual([before])
})

test('an install that is interrupted leaves the old worker, and is repeated', async () => {
  const { app, proxy } = await startBehindProxy()
  const { page } = await openPage(proxy)
  await see(page, '/read')
  await untilCached(page, '/later')
  await app.end()
  await app.again(next)
  const hanging = proxy.inject({ kind: 'hang' }, at('/later'))
  await update(page)
  await expect.poll(() => hanging.hits).toBeGreaterThan(0)
  const session = await page.context().newCDPSession(page)
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.stopAllWorkers')
  await expect.poll(async () => (await workerStates(page)).installing).toBe(undefined)
  // Reset all requests, so that pages come only from the cache.
  const away = proxy.inject({ kind: 'reset' })
  await works(page, 'Read')
  await ageLine(page).waitFor()
  away.remove()
  hanging.remove()
  await works(page, 'Read anew')
  await untilCachedWith(page, '/read', 'Read anew')
  // Wait until the new worker is active, because the old worker still shows its own build.
  await expect.poll(() => workerStates(page)).toEqual({ active: 'activated' })
  proxy.inject({ kind: 'reset' })
  await works(page, 'Read anew')
})

test('a worker that was installed while its server went away shows the old build, then its own', async () => {
  const { app, proxy } = await startBehindProxy()
  const { page } = await openPage(proxy)
  await see(page, '/read')
  await app.end()
  await app.again(next)
  const away = proxy.inject({ kind: 'reset' }, { match: ({ target }) => target !== workerPath })
  await page.evaluate(() => {
    const { serviceWorker } = navigator
    serviceWorker.addEventListener('controllerchange', () => {
      document.documentElement.dataset.isReplaced = 'true'
    })
  })
  await update(page)
  await page.locator('html[data-is-replaced]').waitFor({ state: 'attached' })
  await expect.poll(() => workerStates(page)).toEqual({ active: 'activated' })
  await works(page, 'Read')
  await ageLine(page).waitFor()
  away.remove()
  await works(page, 'Read anew')
  await untilCachedWith(page, '/read', 'Read anew')
  proxy.inject({ kind: 'reset' })
  await works(page, 'Read anew')
  await page.goto('/unseen')
  await heading(page, "You're offline").waitFor()
})

/**
 * Opens a page that has a client component, and checks that it runs the code of the page's own
 * build.
 */
async function works(page: Page, title: string): Promise<void> {
  await page.goto('/read')
  await heading(page, title).waitFor()
  await (await hydratedElement(page.getByRole('button', { name: 'Counted 0' }))).click()
  await page.getByRole('button', { name: 'Counted 1' }).waitFor()
}

test('an offline screen that could not be loaded with its worker is loaded with a later page', async () => {
  const { proxy } = await startBehindProxy()
  proxy.inject({ kind: 'reset' }, { ...at(screenPath), times: 1 })
  const { page } = await openPage(proxy)
  await see(page, '/read')
  await see(page, '/write')
  await expect.poll(() => cachedScreens(page)).toBe(1)
  await proxy.stop()
  await page.goto('/unseen')
  await heading(page, "You're offline").waitFor()
})

function cachedScreens(page: Page): Promise<number> {
  return page.evaluate(async (path) => {
    let count = 0
    for (const name of await caches.keys()) {
      if (await (await caches.open(name)).match(path)) count++
    }
    return count
  }, screenPath)
}
