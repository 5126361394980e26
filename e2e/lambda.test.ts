import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  describeWithRedis,
  type RedisServer,
  startRedis,
} from '../packages/redis/src/testing/redisServer.ts'
import { buildApp } from './harness/appFolder.ts'
import { type LambdaServer, startLambda } from './harness/lambda/startLambda.ts'
import { openPage } from './harness/page.ts'

const configWithRedis = `import { lambda } from '@waymark/lambda'
import { redis } from '@waymark/redis/vite'
import { waymark } from 'waymark/vite'

export default { plugins: [waymark({ adapter: lambda() }), redis()] }
`

let root = ''
let origin = ''
let server: LambdaServer | null = null

beforeAll(async () => {
  root = await buildApp({ app: 'lambda' })
  server = await startLambda(root)
  origin = server.origin
})
afterAll(() => server?.stop())

const get = (path: string, init?: RequestInit) => fetch(`${origin}${path}`, init)

test('a static page and its data come from the build', async () => {
  const page = await get('/')
  const file = (name: string) => readFileSync(join(root, '.waymark/prerendered', name), 'utf8')
  expect([page.status, await page.text()]).toEqual([200, file('index.html')])
  expect(await (await get('/_waymark/data.rsc')).text()).toBe(file('index.rsc'))
  const conditional = { 'if-none-match': page.headers.get('etag') ?? '' }
  expect((await get('/', { headers: conditional })).status).toBe(304)
  expect(await (await get('/robots.txt')).text()).toContain('Allow')
  expect((await get('/nowhere')).status).toBe(404)
})

test.each([
  ['GET', 200],
  ['TRACE', 400],
])('%s with a body gets the response %i', async (method, status) => {
  const sent = request(`${origin}/stream`, { method, headers: { 'content-length': 4 } })
  sent.end('body')
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  expect(response.statusCode).toBe(status)
})

test('a function with a secret that is too short does not start', async () => {
  const starting = startLambda(root, { WAYMARK_SECRET: 'short' })
  await expect(starting).rejects.toThrow('shorter than 32 characters')
})

test('a path that starts with two slashes is a path of the function', async () => {
  const { status, headers } = await get('//other.example/', { redirect: 'manual' })
  expect(status).toBeLessThan(500)
  expect(headers.get('location') ?? '/').toMatch(/^\/(?!\/)/)
})

test('a page streams', async () => {
  const startedAtMs = performance.now()
  const response = await get('/stream')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  let firstAfterMs = 0
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += new TextDecoder().decode(piece.value)
    if (firstAfterMs === 0 && text.includes('The first part')) {
      firstAfterMs = performance.now() - startedAtMs
      expect(text).not.toContain('The second part')
    }
  }
  expect(text).toContain('The second part')
  expect(performance.now() - startedAtMs).toBeGreaterThan(firstAfterMs + 500)
})

test('a form runs its action, sets a cookie, and does work after the response ends', async () => {
  const { page } = await openPage({ origin }, { javaScriptEnabled: false })
  await page.goto('/form')
  await page.getByLabel('Name').fill('Ada')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { name: 'Hello Ada' }).waitFor()
  await expect.poll(() => server?.logs()).toContain('after the response')
})

test('a body that fails is cut, so that it does not look complete, and is in the log', async () => {
  const response = await get('/failing')
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
  await expect.poll(() => server?.logs()).toContain('The body failed.')
})

test('work after the response does not delay it, and ends before the process is frozen', async () => {
  const startedAtMs = performance.now()
  await (await get('/slow?after=1500')).text()
  expect(performance.now() - startedAtMs).toBeLessThan(1_200)
  expect(server?.logs()).not.toContain('after a slow response')
  await (await get('/')).text()
  expect(server?.logs()).toContain('after a slow response')
})

test('a client that leaves causes no error', async () => {
  const logsBefore = server?.logs()
  const leaving = new AbortController()
  const response = await get('/stream', { signal: leaving.signal })
  await response.body?.getReader().read()
  leaving.abort()
  expect((await get('/robots.txt')).status).toBe(200)
  expect(server?.logs()).toBe(logsBefore)
})

test('an endless stream ends cleanly before the time limit of the function', async () => {
  const limited = await startLambda(root, { TIMEOUT_MS: '4000' })
  onTestFinished(() => limited.stop())
  const of = (path: string) => fetch(`${limited.origin}${path}`)
  const pid = await (await of('/slow')).json()
  expect(await (await of('/endless')).text()).toContain('data: "first"')
  expect(await (await of('/slow')).json()).toBe(pid)
})

test('a function that takes too long is ended, and the next request gets a new process', async () => {
  const limited = await startLambda(root, { TIMEOUT_MS: '1000' })
  onTestFinished(() => limited.stop())
  expect((await fetch(`${limited.origin}/slow?before=60000`)).status).toBe(502)
  expect((await fetch(`${limited.origin}/slow`)).status).toBe(200)
})

describe('without streaming', () => {
  let buffered: LambdaServer
  beforeAll(async () => {
    buffered = await startLambda(await buildApp({ app: 'lambda', env: { BUFFERED: '1' } }))
  })
  afterAll(() => buffered?.stop())
  const of = (path: string, init?: RequestInit) => fetch(`${buffered.origin}${path}`, init)

  test('pages and files arrive whole', async () => {
    expect(await (await of('/stream')).text()).toContain('The second part')
    expect(await (await of('/robots.txt')).text()).toContain('Allow')
    const compressed = await of('/', { headers: { 'accept-encoding': 'br' } })
    expect(compressed.headers.get('content-encoding')).toBe('br')
    expect(await compressed.text()).toContain('Hello from a function')
  })

  test('a form runs its action and sets a cookie', async () => {
    const { page } = await openPage({ origin: buffered.origin }, { javaScriptEnabled: false })
    await page.goto('/form')
    await page.getByLabel('Name').fill('Ada')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('heading', { name: 'Hello Ada' }).waitFor()
  })

  test('a body that fails is a 502', async () => {
    expect((await of('/failing')).status).toBe(502)
  })
})

describeWithRedis('two processes with one Redis', () => {
  let redis: RedisServer
  let pair: LambdaServer
  beforeAll(async () => {
    redis = await startRedis()
    const app = await buildApp({ app: 'lambda', files: { 'vite.config.ts': configWithRedis } })
    pair = await startLambda(app, { ENVIRONMENTS: '2', WAYMARK_REDIS_URL: redis.url })
  })
  afterAll(async () => {
    await pair?.stop()
    await redis?.stop()
  })

  test('a process that was frozen sees an invalidation of the other at once', async () => {
    const of = (path: string, init?: RequestInit) => fetch(`${pair.origin}${path}`, init)
    /** Reads the value in both processes, with one request that keeps the first process busy. */
    const readInBoth = async () => {
      const busy = of('/slow?before=1500').then((response) => response.json())
      const [value, pid] = (await (await of('/value')).json()) as [number, number]
      const busyPid = (await busy) as number
      expect(busyPid).not.toBe(pid)
      return value
    }
    // On a busy machine, the second process may take longer to start than the first is busy.
    const slowPid = async () => (await of('/slow?before=1500')).json()
    const startBoth = async () => new Set(await Promise.all([slowPid(), slowPid()])).size
    await expect.poll(startBoth).toBe(2)
    const before = await readInBoth()
    expect(await readInBoth()).toBe(before)
    await (await of('/value', { method: 'POST' })).text()
    const after = await readInBoth()
    expect(after).not.toBe(before)
    const values = await Promise.all([of('/value'), of('/value')])
    for (const response of values) expect(((await response.json()) as [number])[0]).toBe(after)
  })
})
