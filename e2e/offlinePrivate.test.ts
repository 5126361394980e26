import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { type FaultProxy, startFaultProxy } from './harness/faults/proxy.ts'
import { ageLine, cachedPaths, see, startOfflineApp, untilCached } from './harness/offlineApp.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { heading } from './harness/visit.ts'

async function signIn(page: Page, user: string): Promise<void> {
  await (await hydratedElement(page.getByRole('textbox', { name: 'User' }))).fill(user)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await heading(page, `Secret of ${user || 'nobody'}`).waitFor()
}

/** Returns all text that a browser's caches contain. */
function storedText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts: string[] = []
    for (const name of await caches.keys()) {
      const responses = await (await caches.open(name)).matchAll()
      texts.push(...(await Promise.all(responses.map((response) => response.text()))))
    }
    return texts.join()
  })
}

/** Opens a user's private page, signs in on the page, and waits until the page is cached. */
async function seeSecret(page: Page, user: string): Promise<void> {
  await page.goto('/secret')
  await signIn(page, user)
  await see(page, '/secret')
  await expect.poll(() => storedText(page)).toContain(`Secret of ${user}`)
}

test('a private page that allows it is cached for the current user, and deleted at sign-out', async () => {
  const app = await startOfflineApp()
  const { page } = await openPage(app)
  await seeSecret(page, 'ada')
  await app.end()
  await page.reload()
  await heading(page, 'Secret of ada').waitFor()
  await ageLine(page).waitFor()
  await app.again()
  await page.reload()
  await ageLine(page).waitFor({ state: 'detached' })
  await signIn(page, '')
  await expect.poll(() => storedText(page)).not.toContain('Secret of ada')
  await app.end()
  await page.goto('/secret')
  expect(await page.content()).not.toContain('Secret of ada')
})

test('a private page is deleted when a form post may have signed the user out', async () => {
  const app = await startOfflineApp()
  const { page } = await openPage(app)
  await seeSecret(page, 'ada')
  await page.evaluate(() => {
    const form = document.createElement('form')
    form.method = 'POST'
    form.action = '/sign-out'
    document.body.append(form)
    form.submit()
  })
  await page.waitForURL(`${app.origin}/`)
  await expect.poll(() => storedText(page)).not.toContain('Secret of ada')
  await app.end()
  await page.goto('/secret').catch(() => {})
  expect(await page.content()).not.toContain('Secret of ada')
})

const follow = (href: string, target: string) => async (page: Page) => {
  const leaving = page.waitForURL(target)
  await page.evaluate((to) => {
    const link = Object.assign(document.createElement('a'), { href: to })
    document.body.append(link)
    link.click()
  }, href)
  await leaving
}

const call = (method: string) => async (page: Page) => {
  await page.evaluate((method) => fetch('/sign-out', { method }), method)
}

test.each([
  ['a fetch() to a route handler', call('POST')],
  ['a fetch() that ends the session on the server alone', call('DELETE')],
  ['a link to a route handler that redirects', follow('/sign-out', '/')],
  ['a link to a text without code', follow('/sign-out?text=1', '/sign-out?text=1')],
  ['a fetch() in another tab', inOtherTab(call('POST'))],
  ['cookies that are cleared', (page: Page) => page.context().clearCookies()],
])('a private page is deleted by a sign-out by %s', async (_, signOut) => {
  const app = await startOfflineApp()
  const { page } = await openPage(app)
  await seeSecret(page, 'ada')
  await signOut(page)
  await app.end()
  await page.goto('/secret').catch(() => {})
  expect(await page.content()).not.toContain('Secret of ada')
  await expect.poll(() => storedText(page)).not.toContain('Secret of ada')
})

function inOtherTab(run: (page: Page) => Promise<unknown>) {
  return async (page: Page) => {
    const tab = await page.context().newPage()
    await tab.goto('/read')
    await run(tab)
    await tab.close()
  }
}

test('a private page stays cached when a fetch() renews the session of its user', async () => {
  const app = await startOfflineApp()
  const { page } = await openPage(app)
  await seeSecret(page, 'ada')
  await page.evaluate(() => fetch('/sign-out', { method: 'PUT' }))
  await page.waitForTimeout(300)
  await app.end()
  await page.goto('/secret')
  await heading(page, 'Secret of ada').waitFor()
})

test('another user in another tab deletes everything of the previous user', async () => {
  const app = await startOfflineApp()
  const { page } = await openPage(app)
  await seeSecret(page, 'ada')
  const tab = await page.context().newPage()
  await tab.goto('/secret')
  await signIn(tab, 'bob')
  await expect.poll(() => storedText(tab)).not.toContain('Secret of ada')
  // Ada's old page is still open in the first tab, but must not be cached again.
  await page.getByRole('link', { name: '/', exact: true }).click()
  await untilCached(page, '/')
  expect(await storedText(page)).not.toContain('Secret of ada')
})

test('messages of other senders change nothing, and get no response', async () => {
  const app = await startOfflineApp()
  const { page, expectQuietConsole } = await openPage(app)
  await seeSecret(page, 'ada')
  const answered = await page.evaluate(async () => {
    const { serviceWorker } = navigator
    for (const message of [{ type: 'SKIP_WAITING' }, null, 'text']) {
      serviceWorker.controller?.postMessage(message)
    }
    const { port1, port2 } = new MessageChannel()
    const answer = new Promise((resolve) => {
      port1.onmessage = () => resolve(true)
      setTimeout(resolve, 500, false)
    })
    for (const data of [null, { type: 'other' }, { type: 'ask' }]) {
      serviceWorker.dispatchEvent(new MessageEvent('message', { data, ports: [port2] }))
    }
    return answer
  })
  expect(answered).toBe(false)
  expect(await storedText(page)).toContain('Secret of ada')
  expectQuietConsole()
})

test('a private page that was cached recently is not fetched again', async () => {
  const app = await startOfflineApp()
  const proxy = await startFaultProxy(app.origin)
  onTestFinished(() => proxy.stop())
  const { page } = await openPage(proxy)
  await seeSecret(page, 'ada')
  await page.waitForTimeout(500)
  const before = fetchedSecrets(proxy)
  await page.reload()
  await page.waitForTimeout(1_000)
  await see(page, '/pictures')
  expect(fetchedSecrets(proxy)).toBe(before)
})

function fetchedSecrets({ requests }: FaultProxy): number {
  const isFetched = ({ target, headers }: FaultProxy['requests'][number]) =>
    target === '/secret' && headers['sec-fetch-mode'] !== 'navigate'
  return requests.filter(isFetched).length
}

test('a private page is not shown after its lifetime', async () => {
  const app = await startOfflineApp()
  const { page } = await openPage(app)
  await seeSecret(page, 'ada')
  // Change the stored times instead of the clock, because a worker's clock can't be changed.
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const response = await cache.match(request)
        const entry = JSON.parse(
          decodeURIComponent(response?.headers.get('waymark-saved') ?? 'null'),
        )
        if (!response || !entry || !name.includes('/', 'waymark-offline/'.length)) continue
        const headers = new Headers(response.headers)
        const before = { ...entry, expiresAtMs: entry.expiresAtMs - 3_600_000 }
        headers.set('waymark-saved', encodeURIComponent(JSON.stringify(before)))
        await cache.put(request, new Response(response.body, { headers }))
      }
    }
  })
  await app.end()
  await page.goto('/secret')
  await heading(page, "You're offline").waitFor()
  // Caching a different page must also delete the old one.
  await app.again()
  await see(page, '/pictures')
  await expect.poll(() => cachedPaths(page)).not.toContain('/secret')
})
