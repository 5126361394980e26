import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findWholeBrowser } from '../scripts/workspace/systemTools.mjs'
import { launchWithPageCache } from './harness/browser.ts'
import { notice, ofCall } from './harness/faults/actionsBehindProxy.ts'
import { startFaultProxy } from './harness/faults/proxy.ts'
import { add, outboxOf, outboxReady, startLedgerApp } from './harness/outbox.ts'

// Tests need a full browser, because a headless shell has no Background Sync.
let browser: Browser | null = null
beforeAll(async () => {
  browser = await launchWithPageCache()
})
afterAll(() => browser?.close())

/** Opens the fixture behind a counting proxy, and waits for the page's service worker. */
async function open(path = '/') {
  const app = await startLedgerApp('production')
  const proxy = await startFaultProxy(app.origin)
  onTestFinished(() => proxy.stop())
  const seen: string[] = []
  const match = (request: Parameters<typeof ofCall>[0]) => {
    if (ofCall(request)) seen.push(request.headers['waymark-idempotency-key'] as string)
    return false
  }
  proxy.inject({ kind: 'reset' }, { match })
  const context = await browser?.newContext({ baseURL: proxy.origin })
  if (!context) throw new Error('The browser has not started.')
  context.setDefaultTimeout(40_000)
  onTestFinished(() => context.close())
  const page = await comeBack(context, path)
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  return { app, proxy, page, context, keys: () => seen, forget: () => seen.splice(0) }
}

type Opened = Awaited<ReturnType<typeof open>>

/**
 * Adds notes to the outbox while the server is stopped, closes the page, and starts the server
 * again.
 */
async function leave(
  { app, page, context, forget }: Opened,
  fill: () => Promise<void>,
): Promise<void> {
  await app.kill()
  await fill()
  // Open another page first, because the browser ends with its last page.
  await context.newPage()
  await page.close()
  // Forget the page's requests, because none of them reached the server.
  forget()
  await app.start()
}

async function keep(page: Page, text: string): Promise<void> {
  await add(page, text)
  await outboxOf(page).getByText(text, { exact: true }).waitFor()
}

async function comeBack(context: BrowserContext, path = '/'): Promise<Page> {
  const page = await context.newPage()
  await page.goto(path)
  await outboxReady(page)
  return page
}

/** Triggers the worker's sync event, as the browser does when the network is back. */
async function dispatchSync(context: BrowserContext): Promise<void> {
  const [page] = context.pages()
  if (!page) throw new Error('The browser has no page.')
  const devtools = await context.newCDPSession(page)
  type Registration = { readonly registrationId: string; readonly scopeURL: string }
  const registration = new Promise<Registration>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first)
    })
  })
  await devtools.send('ServiceWorker.enable')
  const { registrationId, scopeURL } = await registration
  const { origin } = new URL(scopeURL)
  const event = { origin, registrationId, tag: 'waymark-outbox', lastChance: false }
  await devtools.send('ServiceWorker.dispatchSyncEvent', event)
  await devtools.detach()
}

const hidden = (page: Page) => outboxOf(page).waitFor({ state: 'detached' })

describe.skipIf(findWholeBrowser() === null)('waiting notes', { timeout: 120_000 }, () => {
  test('are sent once and in order when the network is back and no page is open; the next page shows them', async () => {
    const { app, page, context, keys } = await open()
    await context.setOffline(true)
    await keep(page, 'milk')
    await keep(page, 'bread')
    await context.newPage()
    await page.close()
    await context.setOffline(false)
    await expect.poll(app.ledger).toEqual(['milk', 'bread'])
    await dispatchSync(context)
    const next = await comeBack(context)
    await next.getByRole('list', { name: 'Ledger' }).getByText('bread').waitFor()
    await hidden(next)
    await next.waitForLoadState('networkidle')
    expect(await notice(next).count()).toBe(0)
    expect(new Set(keys()).size).toBe(2)
    expect(app.ledger()).toEqual(['milk', 'bread'])
  })

  test('run once if a response was lost and the browser asks again', async () => {
    const opened = await open()
    const { app, proxy, page, context, keys } = opened
    await leave(opened, () => keep(page, 'milk'))
    proxy.inject({ kind: 'unheard' }, { match: ofCall, times: 1 })
    await dispatchSync(context)
    await expect.poll(app.ledger).toEqual(['milk'])
    // The worker gives up waiting for the response after 30 seconds.
    await dispatchSync(context)
    // Expect one request, because the proxy doesn't count the first one, which it answered itself.
    await expect.poll(() => keys().length, { timeout: 60_000 }).toBe(1)
    const next = await comeBack(context)
    await hidden(next)
    expect(new Set(keys()).size).toBe(1)
    expect(app.ledger()).toEqual(['milk'])
  })

  test('are not sent with the cookies of another user, but are sent once their owner is back', async () => {
    const opened = await open()
    const { app, page, context, proxy } = opened
    const signIn = async (name: string) => {
      await context.addCookies([{ name: 'user', value: name, url: proxy.origin }])
    }
    await signIn('ada')
    await page.reload()
    await page.getByText('User: ada').waitFor()
    await outboxReady(page)
    await leave(opened, () => keep(page, 'of Ada'))
    // No page of this browser has told the worker that Bob is signed in.
    await signIn('bob')
    await dispatchSync(context)
    await context.pages()[0]?.waitForTimeout(3000)
    expect(app.ledger()).toEqual([])
    await signIn('ada')
    await dispatchSync(context)
    await expect.poll(app.ledger).toEqual(['of Ada'])
  })

  test('that failed, were refused or are invalid are reported by the next page, and not sent again', async () => {
    const opened = await open()
    const { app, page, context, keys } = opened
    await leave(opened, async () => {
      await keep(page, 'throws')
      await keep(page, 'forbidden')
      await page.getByLabel('Checked text').fill('ab')
      await page.getByRole('button', { name: 'Add checked' }).click()
      await outboxOf(page).getByText('ab', { exact: true }).waitFor()
      await keep(page, 'milk')
    })
    await dispatchSync(context)
    await expect.poll(app.ledger).toEqual(['milk'])
    const next = await comeBack(context)
    const outbox = outboxOf(next)
    await outbox.getByText(/An error occurred. \(.+\)/).waitFor()
    await outbox.getByText("You don't have permission to do this.").waitFor()
    await outbox.getByText('Too short.').waitFor()
    await notice(next)
      .getByText(/could(?:n't| not) be sent/)
      .waitFor()
    expect(await outbox.getByRole('listitem').count()).toBe(3)
    expect(keys()).toHaveLength(4)
  })

  test('with a conflict show both versions', async () => {
    const opened = await open('/cart')
    const { page, context, keys } = opened
    await leave(opened, async () => {
      await page.getByLabel('Text', { exact: true }).fill('old')
      await page.getByRole('button', { name: 'Save' }).click()
      await outboxOf(page).getByText('old', { exact: true }).waitFor()
    })
    await dispatchSync(context)
    await expect.poll(() => keys().length).toBe(1)
    const next = await comeBack(context, '/cart')
    await outboxOf(next).getByText('Ada has changed this.').waitFor()
    await outboxOf(next).getByText('what Ada wrote').waitFor()
    expect(keys()).toHaveLength(1)
  })

  test('are not sent for another user, and are sent when their user is back', async () => {
    const opened = await open()
    const { app, proxy, page, context, keys } = opened
    await page.getByLabel('Name').fill('ada')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('User: ada').waitFor()
    await leave(opened, () => keep(page, "Ada's secret"))
    const documents: string[] = []
    const match = ({ method, target }: { method: string; target: string }) => {
      if (method === 'GET') documents.push(target)
      return false
    }
    proxy.inject({ kind: 'reset' }, { match })
    await context.addCookies([{ name: 'user', value: 'bob', url: proxy.origin }])
    await dispatchSync(context)
    // Wait until the worker has asked for the current user by requesting the page `/`.
    await expect.poll(() => documents).toContain('/')
    const bob = await comeBack(context)
    await bob.getByText('User: bob').waitFor()
    await bob.waitForTimeout(1500)
    expect(await outboxOf(bob).count()).toBe(0)
    expect(app.ledger()).toEqual([])
    await bob.close()
    expect(keys()).toEqual([])
    await context.addCookies([{ name: 'user', value: 'ada', url: proxy.origin }])
    await dispatchSync(context)
    await expect.poll(app.ledger).toEqual(["Ada's secret"])
    await hidden(await comeBack(context))
  })

  test('ask the user to sign in if the session has ended', async () => {
    const opened = await open()
    const { app, proxy, page, context } = opened
    const session = { name: 'session', value: '1', url: proxy.origin }
    await context.addCookies([session])
    await page.goto('/member')
    await outboxReady(page)
    await leave(opened, () => keep(page, 'milk'))
    await context.clearCookies({ name: 'session' })
    await dispatchSync(context)
    // Wait until the worker has asked the page, which doesn't say who is signed in.
    await context.pages()[0]?.waitForTimeout(1000)
    const next = await comeBack(context)
    await outboxOf(next).getByText('Sign in to send it.').waitFor()
    expect(app.ledger()).toEqual([])
    await context.addCookies([session])
    await next.reload()
    await expect.poll(app.ledger).toEqual(['milk'])
    await hidden(next)
  })

  test('stay if the site hangs, and are sent by the next page', async () => {
    const opened = await open()
    const { app, proxy, page, context, keys } = opened
    await leave(opened, () => keep(page, 'milk'))
    let hangs = 0
    const match = (request: Parameters<typeof ofCall>[0]) => ofCall(request) && ++hangs > 0
    proxy.inject({ kind: 'hang' }, { match, times: 1 })
    await dispatchSync(context)
    await expect.poll(() => hangs).toBe(1)
    const next = await comeBack(context)
    await outboxOf(next).getByText('milk').waitFor()
    // Wait longer than 30 seconds, after which the worker gives up its request.
    await expect.poll(app.ledger, { timeout: 60_000 }).toEqual(['milk'])
    await hidden(next)
    expect(new Set(keys()).size).toBe(1)
  })

  test('are sent by an open page, and nothing is sent twice', async () => {
    const { app, page, context, keys } = await open()
    await app.kill()
    await keep(page, 'slow')
    await keep(page, 'milk')
    await app.start()
    for (let times = 0; times < 3; times++) await dispatchSync(context)
    await expect.poll(app.ledger, { timeout: 40_000 }).toEqual(['slow', 'milk'])
    await hidden(page)
    expect(new Set(keys()).size).toBe(2)
  })
})
