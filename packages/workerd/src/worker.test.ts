import { expect, test, vi } from 'vitest'
import { createWorker, type WorkerOptions } from './worker.ts'

const bindings = {
  ASSETS: {
    fetch: async (request: Request) =>
      request.url.endsWith('/gone.txt')
        ? new Response(null, { status: 404 })
        : new Response(`file ${new URL(request.url).pathname}`),
  },
}

function start(parts: Partial<WorkerOptions> = {}) {
  const waited: Promise<unknown>[] = []
  const worker = createWorker({
    handle: async ({ method, target }) => ({
      status: 200,
      headers: [['x-a', 'b']],
      body: `${method} ${target}`,
    }),
    register: async () => {},
    defaultHeaders: [['x-content-type-options', 'nosniff']],
    files: {
      '/_waymark/assets/a-1.js': 'text/javascript',
      '/robots.txt': 'text/plain',
      '/gone.txt': 'text/plain',
    },
    ...parts,
  })
  const ask = (path: string, init?: RequestInit) =>
    worker.fetch(new Request(`https://a.test${path}`, init), bindings, {
      waitUntil: (work) => void waited.push(work),
    })
  return { ask, waited }
}

test('a file is served with its type, and hashed ones for good', async () => {
  const { ask } = start()
  const hashed = await ask('/_waymark/assets/a-1.js?x')
  expect(await hashed.text()).toBe('file /_waymark/assets/a-1.js')
  expect(Object.fromEntries(hashed.headers)).toMatchObject({
    'content-type': 'text/javascript',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect((await ask('/robots.txt')).headers.get('cache-control')).toContain('must-revalidate')
  const posted = await ask('/robots.txt', { method: 'POST' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test('an asset that is not there is no page', async () => {
  const { ask } = start()
  expect((await ask('/_waymark/assets/b.js')).status).toBe(404)
  expect((await ask('/gone.txt')).status).toBe(404)
})

test.each(['/page?a=1', '/constructor', '/__proto__'])('%s is for the handler', async (path) => {
  const answer = await start().ask(path)
  expect([await answer.text(), answer.headers.get('x-a')]).toEqual([`GET ${path}`, 'b'])
})

test('the app is registered once, before its first request is answered', async () => {
  const steps: string[] = []
  const { ask } = start({
    register: async () => void steps.push('registered'),
    handle: async () => {
      steps.push('answered')
      return { status: 200, headers: [], body: null }
    },
  })
  await Promise.all([ask('/'), ask('/')])
  expect(steps).toEqual(['registered', 'answered', 'answered'])
})

test('the runtime waits for the handler, and for what goes on after it', async () => {
  const work = Promise.resolve('later')
  const { ask, waited } = start({
    handle: async ({ waitUntil }) => {
      waitUntil?.(work)
      return { status: 200, headers: [], body: null }
    },
  })
  await ask('/')
  expect(waited).toContain(work)
  expect(waited).toHaveLength(2)
})

test('what breaks on the way rejects once, to the runtime', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const { ask, waited } = start({
    handle: async () => ({ status: 200, headers: [['b c', 'no name']], body: null }),
  })
  await expect(ask('/')).rejects.toThrow()
  await expect(Promise.all(waited)).resolves.toBeDefined()
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(unhandled).not.toHaveBeenCalled()
  process.off('unhandledRejection', unhandled)
})

test('a file that the handler sees first is sent when its response names it', async () => {
  const { ask } = start({
    isProxied: (pathname) => pathname === '/robots.txt',
    handle: async ({ target }) => ({
      status: target.endsWith('?in') ? 200 : 403,
      headers: [['cache-control', 'private, no-cache']],
      body: null,
      ...(target.endsWith('?in') ? { prerendered: '/robots.txt' } : {}),
    }),
  })
  expect((await ask('/robots.txt')).status).toBe(403)
  const file = await ask('/robots.txt?in')
  expect([file.status, await file.text()]).toEqual([200, 'file /robots.txt'])
  expect(file.headers.get('cache-control')).toBe('private, no-cache')
  expect(await (await ask('/_waymark/assets/a-1.js')).text()).toContain('file')
})

test('a host that no URL may have is refused, as by a server of Node', async () => {
  const handle = vi.fn()
  const worker = createWorker({ handle, register: vi.fn(), defaultHeaders: [], files: {} })
  // What workerd makes of `Host: a b`; a Request of Node takes no such URL.
  const request = { method: 'GET', url: 'http://a b/page' } as Request
  const response = await worker.fetch(request, bindings, { waitUntil() {} })
  expect(response.status).toBe(400)
  expect(handle).not.toHaveBeenCalled()
})

test('a request for a host that the app does not name is refused before anything runs', async () => {
  const handle = vi.fn(async () => ({ status: 200, headers: [], body: null }))
  const screen = (status: number) => ({ type: 'text/html', text: `<p>${status}</p>` })
  const { ask } = start({ handle, screen, allowedHosts: ['example.com'] })
  const page = await ask('/page', { headers: { accept: 'text/html' } })
  expect([page.status, await page.text(), page.headers.get('content-type')]).toEqual([
    400,
    '<p>400</p>',
    'text/html',
  ])
  const file = await ask('/robots.txt')
  expect([file.status, await file.text()]).toEqual([400, '400 Bad Request\n'])
  expect(handle).not.toHaveBeenCalled()
  const named = start({ handle, allowedHosts: ['a.test'] })
  expect((await named.ask('/page')).status).toBe(200)
})
