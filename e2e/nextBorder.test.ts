import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appEnv } from './harness/appEnv.ts'
import { describeApp } from './harness/describeModes.ts'
import { freePort } from './harness/freePort.ts'
import { appSource } from './harness/paths.ts'
import { rawRequest } from './harness/rawRequest.ts'
import { startServer } from './harness/serverProcess.ts'

const port = await freePort()
const host = `127.0.0.1:${port}`
const env = { UPSTREAM: `http://${host}` }

type Received = { readonly url: string; readonly headers: IncomingHttpHeaders }

/**
 * The other site, to which the app's rewrites lead. It responds with the request that it received.
 */
const upstream = createServer(({ url, headers }, res) => {
  res.setHeader('connection', 'x-hop')
  res.setHeader('x-hop', '1')
  res.setHeader('proxy-authenticate', 'Basic')
  res.end(JSON.stringify({ url, headers }))
})

beforeAll(() => new Promise<void>((resolve) => upstream.listen(port, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => upstream.close(resolve)))

// Make the file long enough to be stored in compressed form.
const files = { 'public/admin/long.txt': 'ADMIN_FILE '.repeat(500) }

describeApp('the border of an App Router app', { app: 'nextBorder', env, files }, (served) => {
  const send = async (target: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await rawRequest(served.app.origin, target, { method, headers })
    return { ...answer, location: answer.headers.get('location') }
  }
  const admin = { cookie: 'role=admin' }

  test.each([
    '/admin/users',
    '/_waymark/data/admin/users.rsc',
    // Paths that rewrites lead to guarded pages: rewrites in the configuration (before and after
    // pages, and as a fallback), and rewrites in the proxy.
    '/shown',
    '/moved',
    '/file',
    '/fallback',
    '/_waymark/data/shown.rsc',
    // Files of public/, with different spellings of their paths.
    '/admin/report.txt',
    '/admin/%72eport.txt',
    '/admin/report.txt?x',
    '/admin/long.txt',
  ])('the proxy guards %s', async (target) => {
    for (const method of ['GET', 'POST']) {
      const answer = await send(target, {}, method)
      expect([answer.status, answer.body]).toEqual([403, 'denied'])
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
    }
    const { status, headers, body } = await send(target, admin)
    expect(status).toBe(200)
    expect(body).toMatch(/ADMIN_(?:FILE|SECRET)/)
    expect(headers.get('x-guard')).toMatch(/^\/admin\/|, \/admin\//)
    expect(headers.get('cache-control')).toContain('private, no-')
  })

  test('the proxy guards files in a custom server as in the guide', async () => {
    if (served.mode === 'dev') return
    const guide = join(appSource('site'), 'app/guide/deployment/page.mdx')
    const [, code = ''] =
      /^```js\n(\/\/ server\.js\n.*?)^```/ms.exec(readFileSync(guide, 'utf8')) ?? []
    const port = await freePort()
    const listening = `http://localhost:${port}`
    const file = join(served.app.root, 'server.js')
    writeFileSync(file, code.replace('8080', String(port)))
    const options = { args: [file], cwd: served.app.root, startWithinMs: 60_000, listening }
    const server = await startServer({
      ...options,
      env: appEnv({ ...env, NODE_ENV: 'production' }),
    })
    try {
      const statusOf = async (target: string) => (await rawRequest(listening, target)).status
      expect(await statusOf('/admin/report.txt')).toBe(403)
      expect(await statusOf('/open/notes.txt')).toBe(200)
    } finally {
      await server.stop()
      rmSync(file)
    }
  })

  test('a file that the proxy admits is sent like others', async () => {
    const { headers, body } = await send('/admin/report.txt', admin)
    expect([body, headers.get('content-type')]).toEqual([
      'ADMIN_FILE\n',
      'text/plain; charset=utf-8',
    ])
    expect((await send('/open/notes.txt')).body).toBe('OPEN_FILE\n')
    if (served.mode === 'dev') return
    const conditional = { ...admin, 'if-none-match': headers.get('etag') ?? '' }
    expect((await send('/admin/report.txt', conditional)).status).toBe(304)
    const part = await send('/admin/report.txt', { ...admin, range: 'bytes=0-4' })
    expect([part.status, part.body]).toEqual([206, 'ADMIN'])
  })

  test.each(['.br', '.gz', '.zst'])('its compressed form %s has no URL', async (suffix) => {
    expect((await send(`/admin/long.txt${suffix}`)).status).toBe(403)
    expect((await send(`/admin/long.txt${suffix}`, admin)).status).toBe(404)
  })

  test('a rewrite with a scheme leaves the app, whatever the Host header is', async () => {
    // In development, send only the dev server's own host, because Vite checks the host before any
    // rewrite.
    for (const headers of served.mode === 'dev' ? [{}] : [{}, { host }]) {
      for (const target of ['/backend/admin/users', '/whole']) {
        const answer = await send(target, headers)
        expect((JSON.parse(answer.body) as Received).url).toMatch('/admin/users')
      }
    }
  })

  test('a rewrite of the proxy leaves the app if it is written so, whatever the Host header is', async () => {
    for (const headers of served.mode === 'dev' ? [{}] : [{}, { host }]) {
      for (const method of ['GET', 'POST']) {
        for (const target of ['/legacy', '/old/admin/users']) {
          const answer = await send(target, headers, method)
          expect((JSON.parse(answer.body) as Received).url).toBe('/admin/users')
        }
        const answer = await send('/_waymark/data/old/admin/users.rsc', headers, method)
        expect(answer.body).not.toContain('ADMIN_SECRET')
        expect((await send('/inner', headers, method)).status).toBe(403)
      }
    }
  })

  test("a client's forwarding headers are not passed on", async () => {
    const forged = {
      forwarded: 'for=1.1.1.1',
      'x-forwarded-for': '10.0.0.1',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-real-ip': '10.0.0.1',
      'x-middleware-subrequest': 'middleware',
    }
    const appUrl = new URL(served.app.origin)
    for (const target of ['/backend/a', '/old/a', '/role/a']) {
      const { headers } = JSON.parse((await send(target, forged)).body) as Received
      expect(headers).toMatchObject({
        'x-forwarded-for': expect.stringMatching(/^(?:::ffff:)?127\.0\.0\.1$|^::1$/),
        'x-forwarded-host': appUrl.host,
        'x-forwarded-proto': 'http',
      })
      expect(headers['x-real-ip']).toBe(headers['x-forwarded-for'])
      expect(headers.forwarded).toBe(undefined)
      expect(headers['x-middleware-subrequest']).toBe(undefined)
    }
  })

  test("a client can't remove a header that the proxy sets", async () => {
    const sent = { connection: 'close, x-role, cookie', 'x-role': 'admin' }
    const { headers } = JSON.parse((await send('/role/a', sent)).body) as Received
    expect(headers['x-role']).toBe('guest')
  })

  test('values that a condition matched are data', async () => {
    const upstreamUrl = async (target: string) => {
      const { status, body } = await send(target)
      return status === 200 ? (JSON.parse(body) as Received).url.split('?', 1)[0] : status
    }
    expect(await upstreamUrl('/user?id=7')).toBe('/users/7')
    expect(await upstreamUrl('/user?id=x%3Fq=1%23')).toBe('/users/x%3Fq%3D1%23')
    expect(await upstreamUrl('/user?id=../admin/delete')).toBe(400)
    expect(await upstreamUrl('/ssrf?sub=127.0.0.1:1/x?')).toBe(400)
    expect((await send('/go?page=/evil.example')).location).toMatch(/^\/evil\.example\?/)
    expect((await send('/go?page=%5Cevil.example')).status).toBe(400)
    expect((await send('/tenant?sub=evil.test/')).status).toBe(400)
    expect((await send('/tenant?sub=a')).location).toBe('https://a.example.test/x?sub=a')
  })

  test.each([
    ['/go?page=%e2%98%83', 307],
    ['/go?page=..', 400],
    ['/part?page=%00%e2%98%83%0d%0ab', 307],
    ['/query/caf%C3%A9%20b', 307],
    ['/open?v=%e2%98%83', 200],
    ['/open?v=%00', 200],
    ['/open?v=a%0d%0ax-evil:1', 200],
    ['/inside?to=%5c', 400],
    ['/inside?to=%e2%98%83', 200],
    ['/inside?to=%252e%252e%252fadmin', 400],
  ])('%s is %d', async (target, status) => {
    const answer = await send(target)
    expect([answer.status, answer.headers.get('x-evil')]).toEqual([status, null])
  })

  test('headers of a single connection are not forwarded', async () => {
    const hop = {
      connection: 'close, x-mine',
      'x-mine': '1',
      te: 'trailers',
      trailer: 'x',
      'keep-alive': 'timeout=5',
      'proxy-authorization': 'Basic x',
      'x-other': '2',
    }
    const answer = await send('/backend/a', hop)
    const { headers } = JSON.parse(answer.body) as Received
    expect(headers).toMatchObject({ 'x-other': '2' })
    for (const name of ['x-mine', 'te', 'trailer', 'proxy-authorization']) {
      expect(headers[name]).toBe(undefined)
    }
    expect(headers['keep-alive']).not.toBe('timeout=5')
    expect(answer.headers.get('x-hop')).toBe(null)
    expect(answer.headers.get('proxy-authenticate')).toBe(null)
    // Skip this check in development, because Vite handles upgrades itself.
    if (served.mode === 'dev') return
    const upgrade = await send('/backend/a', { connection: 'upgrade, close', upgrade: 'h2c' })
    expect(upgrade.status).toBe(200)
  })

  test.each([
    ['/conditional/header', {}, 418],
    ['/conditional/header', { 'x-skip': '' }, 418],
    ['/conditional/header', { 'x-skip': '1' }, 404],
    ['/conditional/value?mode=ax', {}, 418],
    ['/conditional/value?mode=a', {}, 404],
    ['/conditional/cookie', { cookie: 'skip=' }, 418],
    ['/conditional/cookie', { cookie: 'skip=1' }, 404],
    ['/conditional/has?mode=ax', {}, 404],
    ['/conditional/has?mode=b', {}, 418],
  ])('the conditions of a matcher for %s with %j: %d', async (target, headers, status) => {
    expect((await send(target, headers)).status).toBe(status)
  })
})

const mounted = `export default {
  basePath: '/docs',
  redirects: async () => [
    { source: '/', destination: '/docs', basePath: false, permanent: true },
    { source: '/docs/whole', destination: '/elsewhere', basePath: false, permanent: true },
  ],
}
`

const named = `import { next } from 'next/vite'
import { defineConfig } from 'vite'

const allowedHosts = ['localhost', '127.0.0.1', '*.example']

export default defineConfig({ plugins: [next({ security: { allowedHosts } })] })
`

describeApp(
  'the border of an App Router app with basePath and host conditions',
  { app: 'nextBorder', env, files: { 'next.config.ts': mounted, 'vite.config.ts': named } },
  (served) => {
    const status = async (target: string, headers: Record<string, string>) =>
      (await rawRequest(served.app.origin, target, { headers })).status

    test.each(['/docs', '/docs/open/notes.txt', '/docs/_waymark/data/open.rsc', '/outside'])(
      '%s is refused for a host that the app does not name',
      async (target) => {
        const refused = served.mode === 'dev' ? 403 : 400
        // In development, these hosts are accepted, because Vite reads `*.example` as `example` and
        // everything below it, and ignores a dot at the end.
        const others = served.mode === 'dev' ? [] : ['example', 'localhost.']
        for (const host of ['evil.test', 'a.example.evil.test', ...others]) {
          expect(await status(target, { host })).toBe(refused)
        }
        const upgrade = { host: 'evil.test', connection: 'upgrade', upgrade: 'websocket' }
        expect(await status(target, upgrade)).toBe(refused)
        const { host } = new URL(served.app.origin)
        for (const each of [host, 'a.example', 'a.b.example:99']) {
          expect(await status(target, { host: each })).not.toBe(refused)
        }
      },
    )

    test('the refusal is a screen, and health checks work with every host', async () => {
      if (served.mode === 'dev') return
      const headers = { host: 'evil.test', accept: 'text/html' }
      const { body } = await rawRequest(served.app.origin, '/docs', { headers })
      expect(body).toContain('<title>')
      expect(await status('/_waymark/health/ready', { host: '10.0.0.1:3000' })).toBe(200)
      expect(served.app.logs()).toContain('http://evil.test')
    })

    test('no location is built from the Host header, and none is cached for all', async () => {
      const headers = served.mode === 'dev' ? undefined : { host: 'evil.example' }
      const at = async (target: string) => {
        const answer = await rawRequest(served.app.origin, target, headers ? { headers } : {})
        return [
          answer.status,
          ...['location', 'cache-control'].map((each) => answer.headers.get(each)),
        ]
      }
      expect(await at('/')).toEqual([308, '/docs', 'private, no-store'])
      expect(await at('/docs/whole')).toEqual([308, '../../elsewhere', 'private, no-store'])
      expect((await at('/docs/admin/report.txt'))[0]).toBe(403)
    })
  },
)
