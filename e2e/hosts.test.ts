import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cloudflare, workerd } from '@waymark/cloudflare'
import { lambda } from '@waymark/lambda'
import { vercel } from '@waymark/vercel'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Adapter, createHostCheck, type HostFeature } from 'waymark/adapter'
import { node, staticSite } from 'waymark/vite'
import { security } from './fixtures/hosts/security.ts'
import { actionId } from './harness/actionId.ts'
import { startApp } from './harness/app.ts'
import { buildApp } from './harness/appFolder.ts'
import { startCloudflare } from './harness/cloudflarePlatform.ts'
import { startLambda } from './harness/lambda/startLambda.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { rawRequest } from './harness/rawRequest.ts'
import { serveFolder } from './harness/serveFolder.ts'
import { startVercel } from './harness/vercel/startVercel.ts'
import { startWorkerd } from './harness/workerd.ts'

/** An app that a host serves. */
type Served = { readonly origin: string; readonly root: string; end(): unknown }

type AdapterFacts = Pick<Adapter, 'name' | 'lacks'>

async function serveLambda(): Promise<Served> {
  const root = await buildApp({ app: 'hosts', env: { TARGET: 'lambda' } })
  const server = await startLambda(root)
  return { origin: server.origin, root, end: () => server.stop() }
}

type TestedHost = {
  readonly adapter: AdapterFacts
  /**
   * True if the platform sends files before the worker runs. It ignores ranges and preconditions of
   * files.
   */
  readonly sendsFiles?: boolean
  serve(): Promise<Served>
}

const hosts: readonly TestedHost[] = [
  {
    adapter: node(),
    async serve() {
      const app = await startApp({ app: 'hosts', env: { TARGET: 'node' }, mode: 'production' })
      return { origin: app.origin, root: app.root, end: app.stop }
    },
  },
  {
    adapter: workerd(),
    async serve() {
      const root = await buildApp({ app: 'hosts', env: { TARGET: 'workerd' } })
      const server = await startWorkerd(root)
      return { origin: server.origin, root, end: () => server.kill() }
    },
  },
  {
    adapter: cloudflare(),
    sendsFiles: true,
    async serve() {
      const root = await buildApp({ app: 'hosts', env: { TARGET: 'cloudflare' } })
      // Cloudflare passes on only requests for hosts that are routed to the worker.
      const isRouted = createHostCheck(security.allowedHosts)
      const server = await startCloudflare(root, { isRouted })
      return { origin: server.origins[0], root, end: server.end }
    },
  },
  {
    adapter: lambda(),
    serve: serveLambda,
  },
  {
    adapter: vercel(),
    async serve() {
      const root = await buildApp({ app: 'hosts', env: { TARGET: 'vercel' } })
      const server = await startVercel(root)
      return { origin: server.origin, root, end: () => server.stop() }
    },
  },
  {
    adapter: staticSite(),
    async serve() {
      const root = await buildApp({ app: 'hosts', env: { TARGET: 'static' } })
      const server = await serveFolder(join(root, 'out'))
      return { origin: server.origin, root, end: server.close }
    },
  },
]

describe.each(hosts)('an app on $adapter.name', ({ adapter, sendsFiles = false, serve }) => {
  let served: Served = { origin: '', root: '', end() {} }
  beforeAll(async () => {
    served = await serve()
  })
  afterAll(() => served.end())

  const testOf = (feature: HostFeature) => test.skipIf(adapter.lacks?.includes(feature))
  const get = (path: string, init?: RequestInit) =>
    fetch(`${served.origin}${path}`, { redirect: 'manual', ...init })
  const textOf = async (path: string, init?: RequestInit) => (await get(path, init)).text()
  const renderedIn = (text: string) => /rendered (0\.\d+)/.exec(text)?.[1]
  const built = (file: string) =>
    readFileSync(join(served.root, '.waymark/prerendered', file), 'utf8')

  test('a static page and its data come from the build', async () => {
    const page = await get('/')
    expect([page.status, await page.text()]).toEqual([200, built('index.html')])
    expect(await textOf('/_waymark/data.rsc')).toBe(built('index.rsc'))
  })

  // Skip static sites and Vercel, because a third-party server sends their files.
  testOf('headers')('a request for an unknown host gets nothing', async () => {
    const names = ['evil.example', 'named.example', '127.0.0.1.evil.example', 'a b']
    const targets = ['/', '/_waymark/data.rsc', '/robots.txt', '/visit', '/vault', '/partial']
    for (const host of names) {
      for (const target of targets) {
        const { status, body } = await rawRequest(served.origin, target, { headers: { host } })
        expect([host, target, status]).toEqual([host, target, 400])
        expect(body).not.toContain('Allow: /')
      }
    }
    for (const host of ['shop.named.example', 'SHOP.named.example:81']) {
      const { status } = await rawRequest(served.origin, '/', { headers: { host } })
      expect([host, status]).toEqual([host, 200])
    }
  })

  test('files have their bytes and types, at any spelling of their URL', async () => {
    expect(await textOf('/robots.txt')).toBe('User-agent: *\nAllow: /\n')
    for (const path of ['/a%20b/gr%C3%B6%C3%9Fe.svg', '/%61%20b/gr%c3%b6%c3%9fe.svg']) {
      const picture = await get(path)
      expect(picture.headers.get('content-type')).toBe('image/svg+xml')
      expect(await picture.text()).toContain('<svg')
    }
    const [script = ''] = /\/_waymark\/assets\/[^"]+\.js/.exec(await textOf('/')) ?? []
    expect((await get(script)).headers.get('content-type')).toMatch(/^text\/javascript/)
  })

  test('a URL without a route gets the not-found document', async () => {
    const missing = await get('/nowhere/at/all', { headers: { accept: 'text/html' } })
    expect(missing.status).toBe(404)
    expect(await missing.text()).toContain('404')
    expect((await get('/_waymark/assets/none.js')).status).toBe(404)
  })

  test.each(['/vault', '/_waymark/data/vault.rsc', '/vault/', '/vault/index.html', '/vau%6ct'])(
    'paths that proxy.ts guards are closed without permission: %s',
    async (path) => {
      const response = await get(path)
      expect(response.status).toBeGreaterThanOrEqual(300)
      expect(await response.text()).not.toContain(renderedIn(built('vault.html')))
    },
  )

  test('in a browser, a page becomes interactive, and links lead to pages without a document', async () => {
    const { page } = await openPage({ origin: served.origin })
    await page.goto('/')
    const button = await hydratedElement(page.getByRole('button', { name: 'clicks 0' }))
    await button.click()
    await page.getByRole('button', { name: 'clicks 1' }).waitFor()
    await page.evaluate(() => Object.assign(window, { mark: 1 }))
    await page.getByRole('link', { name: 'about' }).click()
    await page.getByRole('heading', { name: 'About' }).waitFor()
    expect(await page.evaluate(() => (window as { mark?: number }).mark)).toBe(1)
  })

  testOf('headers')('a static page has its headers, and is not sent twice', async () => {
    const page = await get('/')
    await page.body?.cancel()
    const etag = page.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    expect(page.headers.get('waymark-cache')).toBe('hit')
    const notModified = await get('/', { headers: { 'if-none-match': etag } })
    expect([notModified.status, await notModified.text()]).toEqual([304, ''])
    expect(notModified.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    expect((await get('/', { headers: { 'if-match': '"other"' } })).status).toBe(412)
    const head = await get('/', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const data = await get('/_waymark/data.rsc')
    await data.body?.cancel()
    expect(data.headers.get('content-type')).toBe('text/x-component; charset=utf-8')
    const dataTag = data.headers.get('etag') ?? ''
    const notModifiedData = await get('/_waymark/data.rsc', {
      headers: { 'if-none-match': dataTag },
    })
    expect(notModifiedData.status).toBe(304)
  })

  testOf('headers')('files have their headers, and accept no POST', async () => {
    const [script = ''] = /\/_waymark\/assets\/[^"]+\.js/.exec(await textOf('/')) ?? []
    const asset = await get(script)
    await asset.body?.cancel()
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const etag = asset.headers.get('etag') ?? ''
    expect((await get(script, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const posted = await get('/robots.txt', { method: 'POST' })
    expect(posted.status).toBe(405)
    if (!sendsFiles) expect(posted.headers.get('allow')).toBe('GET, HEAD')
  })

  testOf('headers')('redirects and static route handlers have their status and type', async () => {
    const old = await get('/old')
    expect([old.status, old.headers.get('location')]).toEqual([308, '/about'])
    expect((await get('/about/')).headers.get('location')).toBe('/about')
    const feed = await get('/feed.xml')
    expect([feed.headers.get('content-type'), await feed.text()]).toEqual([
      'application/xml',
      '<feed/>',
    ])
  })

  testOf('compression').each(['/', '/_waymark/data.rsc', 'a script'])(
    '%s is compressed for clients that accept it',
    async (path) => {
      const [script = ''] = /\/_waymark\/assets\/[^"]+\.js/.exec(await textOf('/')) ?? []
      const url = path.startsWith('/') ? path : script
      const plain = await get(url, { headers: { 'accept-encoding': 'identity' } })
      expect(plain.headers.get('content-encoding')).toBeNull()
      expect(plain.headers.get('vary')).toContain('accept-encoding')
      const whole = await plain.text()
      for (const [accepted, encoding] of [
        ['gzip, deflate, br', 'br'],
        ['br;q=0.5, gzip', 'gzip'],
        ['identity;q=0, br', 'br'],
      ]) {
        const headers = { 'accept-encoding': accepted as string }
        const coded = await get(url, { headers })
        expect(coded.headers.get('content-encoding')).toBe(encoding)
        expect(coded.headers.get('vary')).toContain('accept-encoding')
        const etag = coded.headers.get('etag') ?? ''
        expect(etag).not.toBe(plain.headers.get('etag'))
        expect(await coded.text()).toBe(whole)
        const notModified = await get(url, { headers: { ...headers, 'if-none-match': etag } })
        expect(notModified.status).toBe(304)
        const head = await get(url, { method: 'HEAD', headers })
        expect([head.headers.get('etag'), head.headers.get('content-encoding')]).toEqual([
          etag,
          encoding,
        ])
      }
    },
  )

  testOf('headers')('a range of a file or page is sent alone', async () => {
    const [script = ''] = /\/_waymark\/assets\/[^"]+\.js/.exec(await textOf('/')) ?? []
    const identity = { 'accept-encoding': 'identity' }
    for (const url of sendsFiles ? ['/'] : [script, '/', '/robots.txt']) {
      const full = await get(url, { headers: identity })
      expect(full.headers.get('accept-ranges')).toBe('bytes')
      const bytes = new Uint8Array(await full.arrayBuffer())
      const etag = full.headers.get('etag') ?? ''
      const ask = (headers: Record<string, string>) =>
        get(url, { headers: { ...identity, ...headers } })
      for (const [range, first, last] of [
        ['bytes=3-9', 3, 9],
        ['bytes=-4', bytes.length - 4, bytes.length - 1],
      ] as const) {
        const part = await ask({ range, 'if-range': etag })
        expect([part.status, part.headers.get('content-range')]).toEqual([
          206,
          `bytes ${first}-${last}/${bytes.length}`,
        ])
        expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(first, last + 1))
      }
      const changed = await ask({ range: 'bytes=3-9', 'if-range': '"other"' })
      expect([changed.status, (await changed.arrayBuffer()).byteLength]).toEqual([
        200,
        bytes.length,
      ])
      const beyond = await ask({ range: `bytes=${bytes.length}-` })
      await beyond.body?.cancel()
      expect([beyond.status, beyond.headers.get('content-range')]).toEqual([
        416,
        `bytes */${bytes.length}`,
      ])
    }
  })

  testOf('headers')('a failed condition or range has the headers of the app', async () => {
    for (const url of sendsFiles ? ['/'] : ['/', '/robots.txt']) {
      const full = await get(url)
      await full.body?.cancel()
      const refusals = [
        { status: 412, headers: { 'if-match': '"other"' } },
        { status: 416, headers: { range: 'bytes=9999999-' } },
      ]
      for (const { status, headers } of refusals) {
        const refused = await get(url, { headers })
        expect([refused.status, (await refused.text()).slice(0, 3)]).toEqual([status, `${status}`])
        expect(Object.fromEntries(refused.headers)).toMatchObject({
          'content-type': 'text/plain; charset=utf-8',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'x-frame-options': full.headers.get('x-frame-options'),
          'referrer-policy': full.headers.get('referrer-policy'),
        })
        expect([refused.headers.get('etag'), refused.headers.get('waymark-cache')]).toEqual([
          null,
          null,
        ])
      }
      const head = await rawRequest(served.origin, url, {
        method: 'HEAD',
        headers: { 'if-match': '"other"' },
      })
      expect([head.status, head.body]).toEqual([412, ''])
    }
  })

  testOf('requests')(
    'a page with a lifetime comes from the build, and is rendered again afterwards',
    async () => {
      const ofBuild = renderedIn(built('timed.html'))
      const first = await get('/timed')
      expect(first.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=1')
      expect(renderedIn(await first.text())).toBe(ofBuild)
      const now = async () => renderedIn(await textOf('/timed'))
      await expect.poll(now).not.toBe(ofBuild)
      const response = await get('/timed')
      await response.body?.cancel()
      const etag = response.headers.get('etag') ?? ''
      expect(etag).toMatch(/^"[\w-]{22}"$/)
      const coded = await get('/timed', { headers: { 'accept-encoding': 'gzip' } })
      const isCoded = !adapter.lacks?.includes('compression')
      expect(coded.headers.get('content-encoding')).toBe(isCoded ? 'gzip' : null)
      expect(renderedIn(await coded.text())).not.toBe(ofBuild)
      const data = await textOf('/_waymark/data/timed.rsc')
      expect(renderedIn(data)).not.toBe(ofBuild)
    },
  )

  testOf('requests')('a tag invalidates the page of the build', async () => {
    const ofBuild = renderedIn(built('tagged.html'))
    expect(renderedIn(await textOf('/tagged'))).toBe(ofBuild)
    expect((await get('/api?tag=prices', { method: 'POST', body: 'a' })).status).toBe(201)
    const now = async () => renderedIn(await textOf('/tagged'))
    await expect.poll(now).not.toBe(ofBuild)
  })

  testOf('requests')(
    'a guarded page of the build is only for visitors whom proxy.ts admits',
    async () => {
      const headers = { cookie: 'session=good' }
      for (let time = 0; time < 2; time++) {
        const page = await get('/vault', { headers })
        expect(page.headers.get('cache-control')).toMatch(/private/)
        expect(renderedIn(await page.text())).toBe(renderedIn(built('vault.html')))
        expect((await get('/vault')).status).toBe(403)
        const data = await get('/_waymark/data/vault.rsc', { headers })
        expect(renderedIn(await data.text())).toBe(renderedIn(built('vault.rsc')))
      }
    },
  )

  testOf('requests').each([
    '/mine',
    '/_waymark/data/mine.rsc',
    '/mine/api',
    '/partial',
    '/vault',
    '/_waymark/data/vault.rsc',
    '/visit',
  ])('%s of one client is never sent to another', async (path) => {
    const credentials = (name: string) => ({
      cookie: `session=good; name=${name}`,
      authorization: `Bearer ${name}`,
    })
    const mark = Math.random().toString(36).slice(2)
    const first = await get(path, { headers: credentials(`ada${mark}`) })
    const etag = first.headers.get('etag') ?? '*'
    expect(first.status).toBe(200)
    // Skip this check for the route handler, because the app itself decides what caches may store
    // there.
    if (path !== '/mine/api') expect(first.headers.get('cache-control')).toMatch(/private|no-store/)
    await first.text()
    const stranger = await get(path)
    const status = stranger.status
    expect(status).toBe(path.includes('vault') ? 403 : 200)
    expect(await stranger.text()).not.toContain(`ada${mark}`)
    const requests: RequestInit[] = [
      {},
      { method: 'HEAD' },
      { headers: { range: 'bytes=0-99999' } },
      { headers: { 'accept-encoding': 'br' } },
      { headers: { 'if-none-match': etag } },
      { headers: { 'if-none-match': etag, range: 'bytes=0-5', 'if-range': etag } },
      { headers: { 'if-modified-since': new Date(Date.now() + 86_400_000).toUTCString() } },
      { headers: { 'cache-control': 'only-if-cached' } },
    ]
    for (const init of requests) {
      const credentialHeaders = credentials(`ada${mark}`)
      await (
        await get(path, { ...init, headers: { ...credentialHeaders, ...init.headers } })
      ).text()
      const without = await get(path, init)
      const text = await without.text()
      expect(text).not.toContain(`ada${mark}`)
      if (status === 403) expect([without.status, without.headers.get('etag')]).toEqual([403, null])
      const bob = { ...credentials(`bob${mark}`), ...init.headers }
      const other = await (await get(path, { ...init, headers: bob })).text()
      expect(other).not.toContain(`ada${mark}`)
    }
  })

  testOf('requests')('a page to which a cookie is added is only for its client', async () => {
    const page = await get('/visit')
    expect(page.headers.get('set-cookie')).toMatch(/^visit=1/)
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    expect(renderedIn(await page.text())).toBe(renderedIn(built('visit.html')))
  })

  testOf('requests')('a partial page has the shell of the build', async () => {
    const textFor = (name: string) => textOf('/partial', { headers: { cookie: `name=${name}` } })
    const ofBuild = async () => {
      const ada = await textFor('ada')
      const bob = await textFor('bob')
      expect([ada, bob]).toEqual([
        expect.stringContaining('name ada'),
        expect.stringContaining('name bob'),
      ])
      return [renderedIn(ada), renderedIn(bob)]
    }
    const shell = renderedIn(built('partial.shell'))
    await expect.poll(ofBuild, { timeout: 5_000 }).toEqual([shell, shell])
  })

  testOf('requests')('requests reach the app, and its responses reach the client', async () => {
    expect(await textOf('/search?q=peaks')).toContain('Search peaks')
    const posted = await get('/api', { method: 'POST', body: 'text' })
    expect([posted.status, posted.headers.get('x-own'), await posted.text()]).toEqual([
      201,
      'yes',
      'posted text',
    ])
    await expect.poll(() => textOf('/api'), { timeout: 5_000 }).toContain('after text')
    const broken = await get('/broken', { headers: { accept: 'text/html' } })
    expect([broken.status, await broken.text()]).toEqual([
      500,
      expect.not.stringContaining('secret'),
    ])
    expect((await get('/%zz')).status).toBe(400)
  })

  testOf('requests')('a response is sent while it is written', async () => {
    const response = await get('/api?slow')
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const startedAtMs = performance.now()
    const first = await reader.read()
    expect(new TextDecoder().decode(first.value)).toBe('first ')
    expect(performance.now() - startedAtMs).toBeLessThan(800)
    onTestFinished(() => reader.cancel())
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('second')
  })

  testOf('requests')('an action can be called from its own site', async () => {
    const call = (headers: Record<string, string>) =>
      get('/', {
        method: 'POST',
        headers: { 'waymark-action': actionId(served, 'count'), ...headers },
        body: '[41]',
      })
    const counted = await call({ 'sec-fetch-site': 'same-origin' })
    expect([counted.status, await counted.text()]).toEqual([200, expect.stringContaining('51')])
    expect((await call({ origin: 'https://evil.test' })).status).toBe(403)
  })
})
