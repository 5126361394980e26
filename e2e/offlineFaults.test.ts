import { brotliCompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from './harness/app.ts'
import { startFaultProxy } from './harness/faults/proxy.ts'
import {
  cachedPaths,
  leftOfOffline,
  type OfflineApp,
  see,
  startOfflineApp,
} from './harness/offlineApp.ts'
import { openPage } from './harness/page.ts'
import { heading } from './harness/visit.ts'

const workerPath = '/_waymark/offline.js'

async function workerOf({ origin }: OfflineApp): Promise<string> {
  return (await fetch(origin + workerPath)).text()
}

/** Opens the app with a worker whose script starts with additional code. */
async function openWith(code: string) {
  const app = await startOfflineApp()
  const proxy = await startFaultProxy(app.origin)
  onTestFinished(() => proxy.stop())
  const body = `${code};${await workerOf(app)}`
  const headers = { 'content-type': 'text/javascript', 'service-worker-allowed': '/' }
  proxy.inject(
    { kind: 'replace', status: 200, headers, body },
    { match: ({ target }) => target === workerPath },
  )
  return openPage(proxy)
}

test('the worker is small', async () => {
  const text = await workerOf(await startOfflineApp())
  // Leave out the settings at the start of the worker.
  const code = text.slice(text.indexOf('(function'))
  // The last 200 bytes of the limit were needed to compare the user cookie, and for interrupted
  // updates.
  expect(brotliCompressSync(code).length).toBeLessThanOrEqual(4420)
})

test.each([
  ['throws when it starts', 'throw new Error("broken")'],
  [
    'may not use the cache storage',
    'Object.defineProperty(self, "caches", { get() { throw new Error("no") } })',
  ],
  [
    'finds the storage full',
    'Cache.prototype.put = async () => { throw new DOMException("full", "QuotaExceededError") }',
  ],
  ['has no space left', 'StorageManager.prototype.estimate = async () => ({ quota: 1, usage: 1 })'],
])('with a worker that %s, the app works as it does without a worker', async (_, code) => {
  const { page, expectQuietConsole } = await openWith(code)
  await page.goto('/read')
  await page.getByRole('button', { name: 'Counted 0' }).click()
  await page.waitForTimeout(700)
  await page.reload()
  await page.getByRole('link', { name: '/write' }).click()
  await heading(page, 'Write').waitFor()
  await page.goto('/pictures')
  await heading(page, 'Pictures').waitFor()
  expectQuietConsole()
})

test('if the user saves data, nothing is fetched for the cache', async () => {
  const saves = 'Object.defineProperty(navigator, "connection", { value: { saveData: true } })'
  const { page, expectQuietConsole } = await openWith(saves)
  const workerRequests: string[] = []
  page.context().on('request', (request) => {
    if (request.serviceWorker()) workerRequests.push(new URL(request.url()).pathname)
  })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true })
  await page.goto('/read')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.getByRole('link', { name: '/write' }).click()
  await heading(page, 'Write').waitFor()
  await page.waitForTimeout(1500)
  expect(await cachedPaths(page)).toEqual([])
  expect(workerRequests).not.toContain('/later')
  expectQuietConsole()
})

test('a response that hangs does not keep other pages from being cached', async () => {
  const app = await startOfflineApp()
  const proxy = await startFaultProxy(app.origin)
  onTestFinished(() => proxy.stop())
  const { page } = await openPage(proxy)
  await see(page, '/')
  const hanging = proxy.inject(
    { kind: 'hang' },
    { match: ({ target }) => target.startsWith('/_waymark/data/read') },
  )
  await page.goto('/read')
  await expect.poll(() => hanging.hits).toBeGreaterThan(0)
  await page.goto('/pictures')
  await expect.poll(() => cachedPaths(page)).toContain('/pictures')
})

test('a sign-in page that replaces the offline screen is not cached', async () => {
  const app = await startOfflineApp()
  const proxy = await startFaultProxy(app.origin)
  onTestFinished(() => proxy.stop())
  proxy.inject(
    { kind: 'replace', status: 302, headers: { location: '/login' }, body: '' },
    { match: ({ target }) => target === '/_waymark/offline.html' },
  )
  const { page } = await openPage(proxy)
  await see(page, '/read')
  await proxy.stop()
  await expect(page.goto('/unseen')).rejects.toThrow('net::ERR_')
})

test('a file that no page needs any more is deleted', async () => {
  const app = await startOfflineApp()
  const { page } = await openPage(app)
  await see(page, '/read')
  const files = () =>
    page.evaluate(async () => {
      const [name = ''] = await caches.keys()
      return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)
    })
  await page.evaluate(async () => {
    const [name = ''] = await caches.keys()
    await (await caches.open(name)).put('/_waymark/assets/left.js', new Response(''))
  })
  expect(await files()).toContain('/_waymark/assets/left.js')
  await see(page, '/pictures')
  await expect.poll(files).not.toContain('/_waymark/assets/left.js')
  expect(await files()).toContain('/_waymark/offline.html')
})

test('the dev server removes the worker of a build at its address', async () => {
  const app = await startOfflineApp()
  const { page } = await openPage(app)
  await see(page, '/read')
  await app.end()
  const dev = await startApp({
    app: 'offline',
    mode: 'dev',
    port: Number(new URL(app.origin).port),
  })
  onTestFinished(dev.stop)
  // Send a first request, because its response takes so long that the old build's worker would
  // respond from its cache.
  await (await fetch(`${dev.origin}/read`)).text()
  // Repeat the load, because a worker that still controls a page is only replaced at a later load.
  const left = async () => {
    await page.goto('/read')
    return leftOfOffline(page)
  }
  await expect.poll(left, { interval: 2000 }).toEqual({ caches: [], workers: 0 })
  await page.reload()
  await heading(page, 'Read').waitFor()
  expect(await left()).toEqual({ caches: [], workers: 0 })
})
