import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from './harness/appFolder.ts'
import { type LambdaServer, startLambda } from './harness/lambda/startLambda.ts'
import { openPage } from './harness/page.ts'

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
