import { request as send } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, startApp } from './harness/app.ts'
import type { ProxiedRequest } from './harness/faults/fault.ts'
import { type FaultProxy, startFaultProxy } from './harness/faults/proxy.ts'
import { hydrated } from './harness/hydrated.ts'
import { add, livePath, notes, open } from './harness/livePages.ts'
import { openPage } from './harness/page.ts'

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
    test(`a connection that ends (${ending}) is restored, with all changes`, async () => {
      // Cut the connection after the first message.
      proxy.inject({ kind: 'cut', afterBytes: 36, ending }, ofLive)
      const { page, requests } = await open(proxy, '/board')
      await add(app, `while cut ${ending}`)
      await expect.poll(() => notes(page)).toContain(`while cut ${ending}`)
      expect(requests.waits).toBe(2)
    })
  }

  test('after a 403 of a gateway, the page says that it is behind, and recovers', async () => {
    // Cut both visitors' connections after the first message. They end when the change below is
    // sent.
    proxy.inject({ kind: 'cut', afterBytes: 36, ending: 'reset' }, { ...ofLive, times: 2 })
    const { page } = await open(proxy, '/board')
    const { page: german } = await open(proxy, '/board', { locale: 'de-DE' })
    const context = page.context()
    const isRefused = ({ pathname }: URL) => /^\/_waymark\/(?:live|data)/.test(pathname)
    for (const each of [context, german.context()]) {
      await each.route(isRefused, (route) => route.fulfill({ status: 403, body: 'Gateway' }))
    }
    await add(app, 'while refused')
    const behind = page.locator('[data-waymark-notice]')
    await behind.getByText('This page may be out of date').waitFor({ timeout: 40_000 })
    expect(await behind.getByRole('button').allTextContents()).toEqual(['Reload', 'Cancel'])
    const translated = german.locator('[data-waymark-notice][lang="de"]')
    await translated.getByText('Zurzeit kommen keine Aktualisierungen an.').waitFor()
    expect(await translated.getByRole('button').allTextContents()).toEqual([
      'Neu laden',
      'Abbrechen',
    ])
    await context.unroute(isRefused)
    await add(app, 'behind the gateway')
    // Allow 70 s, because the connection and the page each wait up to 30 s between two attempts.
    await expect.poll(() => notes(page), { timeout: 70_000 }).toContain('behind the gateway')
    await behind.waitFor({ state: 'detached', timeout: 40_000 })
  }, 180_000)

  test('a page polls if something buffers the event stream', async () => {
    proxy.inject({ kind: 'hang' }, ofLive)
    const { page } = await openPage(proxy)
    const asks = page.waitForRequest(
      (request) =>
        request.url().endsWith(livePath) && request.postData()?.includes('"wait":false') === true,
    )
    await page.goto('/board')
    await asks
    await add(app, 'by asking')
    await expect.poll(() => notes(page)).toContain('by asking')
  })

  test('a prefetched page shows later changes, in a second tab, too', async () => {
    const { page: first } = await open(app, '/shared')
    const second = await first.context().newPage()
    const prefetched = second.waitForResponse((each) =>
      each.url().includes('/_waymark/data/shared'),
    )
    await second.goto('/')
    await (await prefetched).finished()
    await hydrated(second)
    const heading = first.getByRole('heading')
    const before = await heading.textContent()
    await add(app, 'since it was fetched ahead')
    await expect.poll(() => heading.textContent()).not.toBe(before)
    const now = (await heading.textContent()) ?? ''
    await second.getByRole('link', { name: 'Shared' }).click()
    await expect.poll(() => second.getByRole('heading').textContent()).toBe(now)
  })

  test('a shell that was cached before a change is replaced', async () => {
    const { page } = await openPage(app)
    await page.goto('/partly')
    await page.goto('/')
    await add(app, 'before the shell is rendered again')
    // Opening this page makes sure that the values that the shell has read are fresh again.
    await page.goto('/board')
    await expect.poll(() => notes(page)).toContain('before the shell is rendered again')
    const { length } = await notes(page)
    await page.goto('/partly')
    await expect.poll(() => page.getByRole('heading').textContent()).toBe(`${length} notes`)
  })

  test('clients that open a connection and leave at once occupy no slots', async () => {
    // Open more connections than a process has slots. Clients leave before, during and after the
    // response.
    const attempts = 16_500
    const leavers = Array.from({ length: 60 }, async (_, worker) => {
      for (let at = worker; at < attempts; at += 60) await openAndLeave(app.port, at % 4)
    })
    await Promise.all(leavers)
    const body = JSON.stringify({ pages: [], wait: true })
    const response = await fetch(`${app.origin}${livePath}`, {
      method: 'POST',
      headers: fromPage,
      body,
    })
    expect(response.status).toBe(200)
    await response.body?.cancel()
  }, 240_000)

  test('a server that stops does not wait for pages, which continue with the next server', async () => {
    const { page } = await open(app, '/board')
    const { port } = app
    const startedAtMs = Date.now()
    await app.stop()
    // The server must not wait for open responses, which would take ten seconds.
    expect(Date.now() - startedAtMs).toBeLessThan(8_000)
    app = await startApp({ ...options, port })
    await add(app, 'after the restart')
    await expect.poll(() => notes(page)).toContain('after the restart')
  })
})

const fromPage = { 'sec-fetch-site': 'same-origin' }

/**
 * Opens a connection and leaves after half of a request, after a whole request, at the response's
 * head, or at the response's first bytes.
 */
function openAndLeave(port: number, after: number): Promise<void> {
  const body = JSON.stringify({ pages: [], wait: true })
  const headers = { ...fromPage, 'content-length': body.length }
  const options = { port, path: livePath, method: 'POST', headers, agent: false }
  return new Promise((resolve) => {
    const request = send(options, (response) => {
      if (after === 2) request.destroy()
      response.once('data', () => request.destroy())
      response.on('error', () => {})
    })
    request.on('error', () => {})
    request.on('close', resolve)
    if (after === 0) request.write(body.slice(0, 5), () => request.destroy())
    else request.end(body, () => after === 1 && request.destroy())
  })
}
