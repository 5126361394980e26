import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { actionId } from './harness/actionId.ts'
import { startApp } from './harness/app.ts'
import { buildApp } from './harness/appFolder.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { startWorkerd, type WorkerdServer } from './harness/workerd.ts'

// Tests the reference site, built with `waymark build --target workerd`.

let root = ''
let server: WorkerdServer

beforeAll(async () => {
  root = await buildApp({ app: 'site' })
  server = await startWorkerd(root)
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(`workerd's log:\n${server.logs()}`)
})
afterAll(() => server?.kill())

const get = (path: string, init?: RequestInit) =>
  fetch(`${server.origin}${path}`, { redirect: 'manual', ...init })

test('a dynamic page knows its request', async () => {
  const answer = await get('/lab/request', { headers: { 'user-agent': 'test <1>' } })
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  expect(await answer.text()).toContain('<dd>test &lt;1&gt;</dd>')
})

test.each([
  [
    'variant of an image',
    '/lab/pictures',
    /\/_waymark\/assets\/ridge-640-[\w-]+\.webp/,
    'image/webp',
  ],
  ['font', '/lab/pictures', /\/_waymark\/assets\/[\w.-]+\.woff2/, 'font/woff2'],
  [
    'loader of scripts',
    '/lab/scripts',
    /\/_waymark\/assets\/scriptLoader-[\w-]+\.js/,
    'text/javascript',
  ],
])(
  'a page has its %s, although nothing can be drawn or decoded there',
  async (_, path, pattern, type) => {
    const [url = ''] = pattern.exec(await (await get(path)).text()) ?? []
    const file = await get(url)
    expect([file.status, file.headers.get('content-type')?.replace(/;.*/, '')]).toEqual([200, type])
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(99)
  },
)

test.each([
  'waymark-prefetch',
  'waymark-mounted',
  'waymark-from',
  'waymark-final-status',
  'waymark-nonce',
])('a route handler gets its request without %s', async (name) => {
  const response = await get('/lab/handlers/echo?a=b', {
    headers: { [name]: 'page', 'x-own': 'c' },
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ url: '/lab/handlers/echo?a=b' })
})

test('a card that was drawn from JSX comes from the build', async () => {
  const card = await get('/lab/cards/opengraph-image/image.png')
  expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/png'])
  const drawn = Buffer.from(await card.arrayBuffer())
  expect([drawn.readUInt32BE(16), drawn.readUInt32BE(20)]).toEqual([1200, 630])
  const file = '.waymark/prerendered/lab/cards/opengraph-image/image.png.body'
  const built = readFileSync(join(root, file))
  expect(drawn.equals(built)).toBe(true)
})

test('every dynamic page has the same text as in Node', async () => {
  const node = await startApp({ app: 'site', mode: 'production' })
  onTestFinished(() => node.stop())
  const facts = JSON.parse(readFileSync(join(root, '.waymark/build.json'), 'utf8')) as {
    routes: { kind: string; pattern: string; rendering: { kind: string } }[]
  }
  const dynamic = facts.routes.filter(
    ({ kind, rendering }) => kind === 'page' && rendering.kind !== 'static',
  )
  const paths = dynamic.map(({ pattern }) => pattern.replaceAll(/\/\[\[?[^\]]+\]?\]/g, '/7'))
  expect(paths.length).toBeGreaterThan(20)
  await Promise.all(
    paths.map(async (path) => {
      const [inNode, inWorkerd] = await Promise.all(
        [node, server].map((at) => visibleText(at, path)),
      )
      expect(inWorkerd, path).toEqual(inNode)
    }),
  )
})

/**
 * Returns the visible text of a response, which must be the same in every runtime. The request
 * imitates a crawler, because crawlers get the true status even if a busy machine decides late.
 */
async function visibleText({ origin }: { readonly origin: string }, path: string) {
  const headers = { 'user-agent': 'Googlebot/2.1' }
  const answer = await fetch(`${origin}${path}`, { redirect: 'manual', headers })
  const html = (await answer.text()).replaceAll(new URL(origin).host, 'host')
  const [location, policy] = ['location', 'cache-control'].map((name) => answer.headers.get(name))
  return {
    status: answer.status,
    location,
    policy,
    headings: html.match(/<h[12][^>]*>.*?<\/h[12]>/g),
    isWhole: html.endsWith('</html>'),
  }
}

test('page data, redirects and statuses are the same as in Node', async () => {
  const data = await get('/_waymark/data/lab/request.rsc')
  expect([data.status, data.headers.get('content-type')]).toEqual([
    200,
    'text/x-component; charset=utf-8',
  ])
  expect((await get('/lab/request/')).status).toBe(308)
  expect((await get('/%zz')).status).toBe(400)
  const missing = await get('/nowhere', { headers: { accept: 'text/html' } })
  expect(missing.status).toBe(404)
  expect(await missing.text()).toMatch(/<h1[^>]*>/)
})

test('a partial page has its shell in memory, and a hole for each visitor', async () => {
  const ask = (name: string) => get('/lab/partial', { headers: { cookie: `lab-name=${name}` } })
  // The first visitor gets a page without a shell. The request makes the server render the shell in
  // the background.
  expect(await (await ask('eve')).text()).toContain('<strong>eve</strong>')
  const stateOf = async () => {
    const answer = await ask('eve')
    await answer.body?.cancel()
    return answer.headers.get('waymark-cache')
  }
  await expect.poll(stateOf).toBe('hit')
  const [ada, bob] = await Promise.all(['ada', 'bob'].map(async (name) => (await ask(name)).text()))
  expect([ada, bob]).toEqual([
    expect.stringContaining('<strong>ada</strong>'),
    expect.stringContaining('<strong>bob</strong>'),
  ])
  const timeIn = (html = '') => /Rendered at.*?<time[^>]*>(.*?)<\/time>/s.exec(html)?.[1]
  expect(timeIn(ada)).toBeTruthy()
  expect(timeIn(ada)).toBe(timeIn(bob))
  const { page, expectQuietConsole } = await openPage(server)
  await page.goto('/lab/partial', { waitUntil: 'commit' })
  const counter = await hydratedElement(page.getByRole('button', { name: 'Clicks' }).first())
  await counter.click()
  await page.getByText('You have no name yet').waitFor()
  expectQuietConsole()
})

test('files for browsers have their types, and no others are served', async () => {
  const icon = await get('/favicon.svg')
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  const [script = ''] = (await (await get('/')).text()).match(/\/_waymark\/assets\/[^"]+\.js/) ?? []
  const asset = await get(script)
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(asset.headers.get('x-content-type-options')).toBe('nosniff')
  for (const path of ['/_waymark/assets/none.js', '/build.json', '/../secret', '/%2e%2e/secret']) {
    expect((await get(path)).status).toBeGreaterThanOrEqual(400)
  }
})

test('a thrown error is a digest in the browser, and in the log', async () => {
  const answer = await get('/lab/errors/page')
  const digest = answer.headers.get('x-waymark-digest')
  expect([answer.status, digest]).toEqual([500, expect.stringMatching(/^[\w-]+$/)])
  const body = await answer.text()
  expect(body).toContain(digest)
  expect(body).not.toContain('hunter2')
  await expect.poll(() => server.logs()).toContain(`The page threw`)
  await expect.poll(server.logs).toContain(digest)
})

test('after() runs to its end', async () => {
  expect((await get('/lab/request/after', { method: 'POST' })).status).toBe(202)
  const log = async () => (await get('/lab/request/after')).text()
  await expect.poll(log, { timeout: 3_000 }).toContain('after() ends')
})

test('an action can be called, but not from another site', async () => {
  const call = (from: Record<string, string>) =>
    get('/lab/actions', {
      method: 'POST',
      headers: { 'waymark-action': actionId({ root }, 'count'), ...from },
      body: '[41]',
    })
  const counted = await call({ 'sec-fetch-site': 'same-origin' })
  expect([counted.status, await counted.text()]).toEqual([200, expect.stringContaining('42')])
  expect((await call({ origin: 'https://evil.test' })).status).toBe(403)
})

test('a form runs its action without a script', async () => {
  const { page } = await openPage(server, { javaScriptEnabled: false })
  await page.goto('/lab/actions')
  await page.getByRole('button', { name: 'Count' }).click()
  await expect.poll(() => page.locator('output').last().textContent()).toBe('1')
  await page.getByRole('button', { name: 'Redirect' }).click()
  await page.waitForURL('**/lab/actions/beside')
  await page.goto('/lab/actions')
  const [failed] = await Promise.all([
    page.waitForResponse((answer) => answer.request().method() === 'POST'),
    page.getByRole('button', { name: 'Throw an error' }).click(),
  ])
  expect([failed.status(), failed.headers()['x-waymark-digest']]).toEqual([
    500,
    expect.stringMatching(/^[\w-]+$/),
  ])
})

test('in a browser, clicks and submissions work', async () => {
  const { page, expectQuietConsole } = await openPage(server)
  await page.goto('/lab/request')
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await page.getByRole('link', { name: 'Server actions' }).first().click()
  await page.waitForURL('**/lab/actions')
  const text = await hydratedElement(page.locator('input[name=text]'))
  await text.fill('from workerd')
  const answered = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await page.getByRole('button', { name: 'Add' }).click()
  expect((await answered).status()).toBe(200)
  await expect
    .poll(() => page.getByRole('list', { name: 'Your list' }).locator('li').allTextContents())
    .toEqual(['from workerd'])
  await page.reload()
  expect(await page.getByText('from workerd').count()).toBe(1)
  expectQuietConsole()
})

test('a live page is served, and asks for changes', async () => {
  const withSecret = await startWorkerd(root, {
    WAYMARK_SECRET: 'a secret of the tests, long enough',
  })
  onTestFinished(() => withSecret.kill())
  const path = `/lab/live/${crypto.randomUUID()}`
  const { page } = await openPage(withSecret)
  const asks = page.waitForResponse((response) => response.url().endsWith('/_waymark/live'))
  await page.goto(path)
  expect((await asks).status()).toBe(200)
  await hydratedElement(page.getByRole('button', { name: 'Add' }))
  await page.getByRole('button', { name: 'Something against the rain' }).click()
  await page.getByRole('button', { name: 'Something against the rain', pressed: true }).waitFor()
})
