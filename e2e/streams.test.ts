import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from './harness/app.ts'
import { describeApp, type Served } from './harness/describeModes.ts'
import type { ProxiedRequest } from './harness/faults/fault.ts'
import { proxyBefore } from './harness/faults/proxyBefore.ts'
import { freePort } from './harness/freePort.ts'
import { openPage } from './harness/page.ts'

const state = (page: Page) => page.locator('output').textContent()
const items = (page: Page) => page.getByRole('listitem').allTextContents()
const allNumbers = Array.from({ length: 60 }, (_, index) => `{"number":${index + 1}}`)
const isStream = ({ target }: ProxiedRequest) => target.startsWith('/api/numbers')

type Endings = { begun: number; ended: number }
const endings = async (served: Served) =>
  (await (await served.fetch('/api/ended')).json()) as Endings

describeApp('streams', { app: 'streams' }, (served) => {
  const proxy = proxyBefore(served, ['/numbers', '/api/numbers', '/endless'])

  test('deliver each message once, over a network that cuts and stalls', async () => {
    const faults = [
      { kind: 'stall', afterBytes: 400 },
      { kind: 'cut', afterBytes: 160, ending: 'clean' },
      { kind: 'cut', afterBytes: 333, ending: 'reset' },
      { kind: 'reset' },
    ] as const
    for (const fault of faults) proxy.now.inject(fault, { match: isStream, times: 1 })
    const { page, complaints } = await openPage(proxy.now)
    await page.clock.install()
    await page.goto('/numbers')
    await expect.poll(() => proxy.now.requests.filter(isStream).length).toBe(4)
    const isStalled = async () => {
      const before = await items(page)
      await sleep(400)
      return (await state(page)) === 'open' && before.length === (await items(page)).length
    }
    await expect.poll(isStalled).toBe(true)
    // Move the clock ahead by two heartbeats, in which nothing arrives.
    await page.clock.fastForward(36_000)
    await expect.poll(() => state(page)).toBe('closed')
    expect(await items(page)).toEqual(allNumbers)
    // Ignore the browser's own messages about cut connections.
    expect(complaints.filter((text) => !/net::ERR_/.test(text))).toEqual([])
  })

  test('events have ids, and the end has a mark', async () => {
    const response = await served.fetch('/api/numbers', { headers: { 'last-event-id': '58' } })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
    })
    expect(await response.text()).toMatch(
      /^retry: \d+\n\nid: 59\ndata: \{"number":59\}\n\nid: 60\ndata: \{"number":60\}\n\nevent: end\ndata: \{\}\n\n$/,
    )
  })

  test('a refusal has its true status, and ends the stream of a page', async () => {
    expect((await served.fetch('/api/secret')).status).toBe(401)
    const { page } = await openPage(served.app)
    const paths: string[] = []
    page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    await page.goto('/secret')
    await expect.poll(() => state(page)).toBe('closed 401')
    expect(paths.filter((path) => path === '/api/secret')).toHaveLength(1)
    await page.context().addCookies([{ name: 'session', value: 'me', url: served.app.origin }])
    await page.getByRole('button', { name: 'Connect' }).click()
    await expect.poll(() => items(page)).toEqual(['"secret"'])
    await page.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => state(page)).toBe('closed')
  })

  test('an error is in the journal, and the client gets its digest', async () => {
    const text = await (await served.fetch('/api/failing')).text()
    const [, digest = ''] = /event: end\ndata: \{"digest":"([^"]+)"\}\n\n$/.exec(text) ?? []
    expect(digest).not.toBe('')
    expect(text).not.toContain('late words')
    await expect.poll(() => served.app.logs()).toContain('late words')
    if (served.mode === 'production') expect(served.app.logs()).toContain(digest)
    expect((await served.fetch('/api/failing?early')).status).toBe(500)
  })

  test('a page that unmounts its stream, or is left, ends the handler', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    const before = await endings(served)
    const since = async () => {
      const { begun, ended } = await endings(served)
      return { begun: begun - before.begun, ended: ended - before.ended }
    }
    await page.goto('/endless')
    await expect.poll(() => state(page)).toBe('open')
    expect(await since()).toEqual({ begun: 1, ended: 0 })
    await page.getByRole('button', { name: 'Hide' }).click()
    await expect.poll(since).toEqual({ begun: 1, ended: 1 })
    await page.getByRole('button', { name: 'Show' }).click()
    await expect.poll(since).toEqual({ begun: 2, ended: 1 })
    await page.getByRole('link', { name: 'Home' }).click()
    await expect.poll(since).toEqual({ begun: 2, ended: 2 })
    await page.goBack()
    await expect.poll(since).toEqual({ begun: 3, ended: 2 })
    await page.close()
    await expect.poll(since).toEqual({ begun: 3, ended: 3 })
    expectQuietConsole()
  })

  test('a client that does not read is disconnected', async () => {
    const before = await endings(served)
    const socket = connect(served.app.port, 'localhost')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.pause()
    socket.write('GET /api/flood HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await expect
      .poll(() => endings(served))
      .toEqual({ begun: before.begun + 1, ended: before.ended + 1 })
  })

  test('messages of an action reach all pages, including those sent in the meantime', async () => {
    const [{ page: first }, { page: second }] = await Promise.all([
      openPage(served.app),
      openPage(served.app),
    ])
    for (const page of [first, second]) {
      await page.goto('/chat')
      await expect.poll(() => state(page)).toBe('open')
    }
    const send = async (text: string) => {
      await first.getByLabel('Message').fill(text)
      await first.getByRole('button', { name: 'Send' }).click()
      await expect.poll(() => items(first)).toContain(`"${text}"`)
    }
    await send('a')
    await expect.poll(() => items(second)).toEqual(['"a"'])
    await second.getByRole('button', { name: 'Close' }).click()
    await send('b')
    await send('c')
    await second.getByRole('button', { name: 'Connect' }).click()
    await expect.poll(() => items(second)).toEqual(['"a"', '"b"', '"c"'])
    await second.getByRole('button', { name: 'Close' }).click()
    for (const text of ['d', 'e', 'f', 'g']) await send(text)
    await second.getByRole('button', { name: 'Connect' }).click()
    await expect.poll(() => items(second)).toEqual(['"a"', '"b"', '"c"', 'reset'])
  })
})

test('a server that stops ends its streams, and a page continues with the next server', async () => {
  const port = await freePort()
  const start = () => startApp({ app: 'streams', mode: 'production', port })
  const app = await start()
  const { page } = await openPage(app)
  await page.goto('/numbers')
  await expect.poll(async () => (await items(page)).length).toBeGreaterThan(3)
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => fetch(`${app.origin}/api/endless`)),
  )
  const texts = Promise.all(responses.map((response) => response.text()))
  const health = await (await fetch(`${app.origin}/_waymark/health/live`)).json()
  // A stream must not occupy a slot for requests.
  expect(health).toMatchObject({ runningRequests: 0, abandonedRequests: 0 })
  const startedAtMs = Date.now()
  await app.stop()
  // The server must not wait for open responses, which would take ten seconds.
  expect(Date.now() - startedAtMs).toBeLessThan(8_000)
  for (const text of await texts) expect(text).toMatch(/data: "first"\n\nretry: \d{1,4}\n\n$/)
  const next = await start()
  onTestFinished(() => next.stop())
  await expect.poll(() => state(page)).toBe('closed')
  expect(await items(page)).toEqual(allNumbers)
})

test('a dev server stops while streams are open', async () => {
  const app = await startApp({ app: 'streams', mode: 'dev' })
  const response = await fetch(`${app.origin}/api/endless`)
  const reading = response.text().catch(() => 'cut')
  const startedAtMs = Date.now()
  await app.stop()
  // The server must not wait for open responses, which would take ten seconds.
  expect(Date.now() - startedAtMs).toBeLessThan(8_000)
  await reading
})
