import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, startApp } from './harness/app.ts'
import { describeModes } from './harness/describeModes.ts'
import type { ProxiedRequest } from './harness/faults/fault.ts'
import { type FaultProxy, startFaultProxy } from './harness/faults/proxy.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

const secret = 'the secret of whoever changes the stock from outside'
const livePath = '/_waymark/live'

type Place = { readonly origin: string }

const add = (app: Place, text: string) =>
  fetch(`${app.origin}/api/notes`, { method: 'POST', body: text })

const notes = (page: Page) => page.getByRole('listitem').allTextContents()

/** What a page has asked for: its data, and how often it began to wait for changes. */
function watch(page: Page) {
  const asked = { data: 0, waits: 0 }
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const isAhead = 'waymark-prefetch' in request.headers()
    if (pathname.startsWith('/_waymark/data/') && !isAhead) asked.data++
    if (pathname === livePath && request.postData()?.includes('"wait":true')) asked.waits++
  })
  return asked
}

const isWaiting = (page: Page) =>
  page.waitForResponse(
    (response) =>
      response.url().endsWith(livePath) &&
      response.headers()['content-type'] === 'text/event-stream',
  )

/** Opens a page that waits for changes. */
async function open(app: Place, path: string) {
  const { page, ...visit } = await openPage(app)
  const asked = watch(page)
  const waiting = isWaiting(page)
  await page.goto(path)
  await waiting
  await hydrated(page)
  return { ...visit, page, asked }
}

describeModes('live pages', { app: 'live', env: { WAYMARK_LIVE_SECRET: secret } }, (served) => {
  test('a change is on the screen of all who have the page open', async () => {
    const [one, other] = await Promise.all([open(served.app, '/board'), open(served.app, '/board')])
    const draft = one.page.getByLabel('Draft')
    await draft.fill('half a sentence')
    await draft.evaluate((field) => (field as HTMLInputElement).setSelectionRange(2, 6))
    const startedAtMs = Date.now()
    await add(served.app, 'milk')
    for (const { page } of [one, other]) await expect.poll(() => notes(page)).toContain('milk')
    expect(Date.now() - startedAtMs).toBeLessThan(3_000)
    expect(await draft.inputValue()).toBe('half a sentence')
    const selected = await draft.evaluate((field) => {
      const { selectionStart, selectionEnd } = field as HTMLInputElement
      return [document.activeElement === field, selectionStart, selectionEnd]
    })
    expect(selected).toEqual([true, 2, 6])
    one.expectQuietConsole()
    other.expectQuietConsole()
  })

  test('an own action does not fetch the page again', async () => {
    const own = await open(served.app, '/board')
    const other = await open(served.app, '/board')
    await own.page.getByLabel('Note').fill('own')
    await own.page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => notes(own.page)).toContain('own')
    await expect.poll(() => notes(other.page)).toContain('own')
    await own.page.waitForTimeout(1_500)
    expect(own.asked.data).toBe(0)
    expect(other.asked.data).toBe(1)
  })

  test('ten changes of a second are two or three requests, and all is there', async () => {
    const { page, asked } = await open(served.app, '/board')
    for (let at = 0; at < 10; at++) {
      await add(served.app, `burst ${at}`)
      await page.waitForTimeout(80)
    }
    await expect.poll(() => notes(page)).toContain('burst 9')
    await page.waitForTimeout(1_500)
    expect(asked.data).toBeGreaterThan(0)
    expect(asked.data).toBeLessThanOrEqual(3)
  })

  test('a tab that is not looked at is renewed when it is looked at', async () => {
    const { page, asked } = await open(served.app, '/board')
    const turn = (state: string) =>
      page.evaluate((visibility) => {
        Object.defineProperty(document, 'visibilityState', {
          value: visibility,
          configurable: true,
        })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await turn('hidden')
    await add(served.app, 'while hidden')
    await page.waitForTimeout(1_000)
    expect(asked.data).toBe(0)
    await turn('visible')
    await expect.poll(() => notes(page)).toContain('while hidden')
    expect(asked.data).toBe(1)
  })

  test('what was changed without a network is there after it', async () => {
    const { page } = await open(served.app, '/board')
    await page.context().setOffline(true)
    await expect.poll(() => page.getByRole('status').textContent()).toBe('behind')
    await add(served.app, 'while offline')
    await page.context().setOffline(false)
    await expect.poll(() => notes(page), { timeout: 10_000 }).toContain('while offline')
    await expect.poll(() => page.getByRole('status').textContent()).toBe('current')
  })

  test('tabs of a browser share a connection, and another one takes it over', async () => {
    const { page: first, asked } = await open(served.app, '/board')
    const second = await first.context().newPage()
    const askedBySecond = watch(second)
    await second.goto('/board')
    await hydrated(second)
    await second.waitForTimeout(500)
    expect(askedBySecond.waits).toBe(0)
    await add(served.app, 'for both')
    for (const page of [first, second]) await expect.poll(() => notes(page)).toContain('for both')
    expect(asked.waits).toBe(1)
    const waiting = isWaiting(second)
    await first.close()
    await waiting
    await add(served.app, 'for the second')
    await expect.poll(() => notes(second)).toContain('for the second')
  })

  test('a navigation ends it, and the next page that is live has its own', async () => {
    const { page, asked } = await open(served.app, '/board')
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.waitForTimeout(300)
    const before = asked.data
    await add(served.app, 'for nobody')
    await page.waitForTimeout(800)
    expect(asked.data).toBe(before)
    await page.getByRole('link', { name: 'Own' }).click()
    const heading = page.getByRole('heading')
    await expect.poll(() => heading.textContent()).toMatch(/^nobody/)
    const count = await heading.textContent()
    await page.waitForTimeout(300)
    await add(served.app, 'for the next page')
    await expect.poll(() => heading.textContent()).not.toBe(count)
  })

  test('a page that all share is rendered once, and never shown as it was', async () => {
    const { page } = await open(served.app, '/shared')
    const heading = page.getByRole('heading')
    const before = Number((await heading.textContent())?.split(' ')[0])
    await add(served.app, 'for the shared page')
    await expect.poll(() => heading.textContent()).toBe(`${before + 1} notes`)
  })

  test('a program outside of the app tells of a change by a secret', async () => {
    const { page, asked } = await open(served.app, '/board')
    const tell = (token: string, body: string) =>
      fetch(served.url(livePath), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body,
      })
    expect((await tell('guessed', '{"tags":["notes"]}')).status).toBe(401)
    expect((await tell(secret, '{"tags":"notes"}')).status).toBe(400)
    await page.waitForTimeout(500)
    expect(asked.data).toBe(0)
    expect((await tell(secret, '{"tags":["notes"]}')).status).toBe(204)
    await expect.poll(() => asked.data).toBe(1)
  })

  test('who signs out waits for nothing of the session before', async () => {
    const { page } = await openPage(served.app)
    const cookie = { name: 'name', value: 'ada', url: served.app.origin }
    await page.context().addCookies([cookie])
    const waiting = isWaiting(page)
    await page.goto('/own')
    const asked = (await waiting).request().postData() ?? ''
    expect(await page.getByRole('heading').textContent()).toMatch(/^ada/)
    // The subscription of the page, sent by somebody else.
    const { pages } = JSON.parse(asked) as { pages: string[] }
    const stolen = await fetch(served.url(livePath), {
      method: 'POST',
      headers: { origin: served.app.origin, cookie: 'name=eve' },
      body: JSON.stringify({ pages, wait: false }),
    })
    expect(await stolen.json()).toEqual({ changed: [], gone: [0] })
  })
})

describe('live pages while servers and networks fail', () => {
  const options = { app: 'live', mode: 'production' } as const
  let app: App
  let proxy: FaultProxy
  beforeAll(async () => {
    app = await startApp(options)
    proxy = await startFaultProxy(app.origin)
  })
  afterAll(async () => {
    await proxy?.stop()
    await app?.stop()
  })

  const ofLive = { match: ({ target }: ProxiedRequest) => target === livePath, times: 1 }

  for (const ending of ['clean', 'reset'] as const) {
    test(`a connection that ends (${ending}) comes back, with what was changed`, async () => {
      // All but the first message.
      proxy.inject({ kind: 'cut', afterBytes: 36, ending }, ofLive)
      const { page, asked } = await open(proxy, '/board')
      await add(app, `while cut ${ending}`)
      await expect.poll(() => notes(page), { timeout: 15_000 }).toContain(`while cut ${ending}`)
      expect(asked.waits).toBe(2)
    })
  }

  test('where something keeps back what should come at once, it asks at intervals', async () => {
    proxy.inject({ kind: 'hang' }, ofLive)
    const { page } = await openPage(proxy)
    const asks = page.waitForRequest(
      (request) =>
        request.url().endsWith(livePath) && request.postData()?.includes('"wait":false') === true,
    )
    await page.goto('/board')
    await asks
    await add(app, 'by asking')
    await expect.poll(() => notes(page), { timeout: 15_000 }).toContain('by asking')
  })

  test('a server that ends does not wait for pages, and they go on with the next one', async () => {
    const { page } = await open(app, '/board')
    const { port } = app
    const startedAtMs = Date.now()
    await app.stop()
    expect(Date.now() - startedAtMs).toBeLessThan(4_000)
    app = await startApp({ ...options, port })
    await add(app, 'after the restart')
    await expect.poll(() => notes(page), { timeout: 20_000 }).toContain('after the restart')
  })
})
