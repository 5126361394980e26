import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { actionId } from './harness/actionId.ts'
import { type App, startApp } from './harness/app.ts'
import { freePort } from './harness/freePort.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { type RequestOptions, timedRequest } from './harness/timedRequest.ts'
import { caddy, nginx, type WebServer } from './harness/webServer.ts'

// Runs the web servers in deploy/ in front of the reference site. Each configuration lists two
// servers. One of them is not running, so the web server must skip it.

for (const kind of [nginx, caddy]) {
  if (kind.program === null) console.warn(`Skipped: ${kind.name} is not installed.`)
  describe.skipIf(kind.program === null)(`behind ${kind.name}`, () => {
    let app: App
    let server: WebServer
    let port = 0
    const startSite = async () => {
      app = await startApp({
        app: 'site',
        mode: 'production',
        port,
        args: ['--trust-proxy', 'loopback'],
      })
    }

    beforeAll(async () => {
      port = await freePort()
      await startSite()
      server = await kind.start({ root: app.root, ports: [await freePort(), port] })
      // Wait until the web server has checked its servers.
      await vi.waitFor(async () => expect((await ask('/')).status).toBe(200), 10_000)
    })
    afterAll(async () => {
      await server?.stop()
      await app?.stop()
    })

    const ask = (path: string, options: RequestOptions = {}) =>
      timedRequest(`${server.origin}${path}`, { certificate: server.certificate, ...options })
    const callOf = (action: string) => ({
      'waymark-action': actionId(app, action),
      'content-type': 'text/plain;charset=UTF-8',
    })
    const visit = () => openPage(server, { ignoreHTTPSErrors: true })

    test('pages have their statuses, and paths are not changed', async () => {
      expect((await ask('/lab/request')).status).toBe(200)
      expect((await ask('/nowhere', { headers: { accept: 'text/html' } })).status).toBe(404)
      expect((await ask('/lab/request/')).headers.location).toBe('/lab/request')
      const echoed = await ask('/lab/handlers/echo?a=%2F%20b&c')
      expect(JSON.parse(echoed.body)).toMatchObject({ url: '/lab/handlers/echo?a=%2F%20b&c' })
      expect((await ask('/_waymark/data/lab/request.rsc')).headers['content-type']).toBe(
        'text/x-component; charset=utf-8',
      )
    })

    test('a page that streams starts at once', async () => {
      const answer = await ask('/lab/streaming?a=0&b=1500&c=1500')
      // The late parts arrive 1500 ms after the start. If the proxy buffered the response, both
      // would arrive together.
      const waitedMs = answer.cameAfterMs('</html>') - answer.cameAfterMs('<h1')
      expect(waitedMs).toBeGreaterThan(500)
    })

    test('the app notices when a client leaves', async () => {
      expect((await ask('/lab/handlers/ticks', { leaves: true })).body).toContain('tick 1')
      await expect.poll(() => app.logs()).toContain('The client disconnected after tick')
    })

    test('hashed files are immutable and compressed, and unknown ones are 404', async () => {
      const [script = ''] = (await ask('/')).body.match(/\/_waymark\/assets\/[^"]+\.js/) ?? []
      const asset = await ask(script, { headers: { 'accept-encoding': 'gzip' } })
      expect(asset.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-encoding': 'gzip',
        'content-type': expect.stringMatching(/^(?:text|application)\/javascript/),
        vary: expect.stringMatching(/accept-encoding/i),
        'x-content-type-options': 'nosniff',
      })
      const missing = await ask('/_waymark/assets/of-another-build.js')
      expect([missing.status, missing.headers['cache-control']]).toEqual([404, 'no-store'])
      expect((await ask('/_waymark/assets/../../build.json')).status).toBeGreaterThanOrEqual(400)
    })

    test('actions are accepted from pages of their own origin only', async () => {
      const call = (headers: Record<string, string>) =>
        ask('/lab/actions', {
          method: 'POST',
          headers: { ...callOf('count'), ...headers },
          body: '[41]',
        })
      // Some browsers don't send `sec-fetch-site`. Then scheme and port of the origin decide.
      expect((await call({ origin: server.origin })).body).toContain('42')
      const evil = 'https://evil.test'
      const forged = { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' }
      for (const headers of [{ origin: evil }, { origin: evil, ...forged }]) {
        expect((await call(headers)).status).toBe(403)
      }
    })

    test('bodies pass up to the limit of the web server, and the app has its own limit', async () => {
      const send = (megabytes: number, path = '/lab/handlers/count', headers = {}) =>
        ask(path, { method: 'POST', body: Buffer.alloc(megabytes * 2 ** 20), headers })
      expect((await send(8)).body).toContain(String(8 * 2 ** 20))
      const sameOriginCall = { ...callOf('count'), origin: server.origin }
      const tooLarge = await send(2, '/lab/actions', sameOriginCall)
      expect([tooLarge.status, tooLarge.body]).toEqual([413, expect.stringContaining('too-large')])
      expect((await send(11)).status).toBe(kind.limitsBodies ? 413 : 200)
    })

    test('a 502 or 503 of the app is a response, and does not mark the server as down', async () => {
      const servers = await Promise.all([startUpstream(), startUpstream()])
      const [first, second] = servers.map(({ port }) => port)
      const front = await kind.start({ root: app.root, ports: [first ?? 0, second ?? 0] })
      onTestFinished(async () => {
        await front.stop()
        for (const { close } of servers) close()
      })
      const askFront = (path: string) =>
        timedRequest(`${front.origin}${path}`, { certificate: front.certificate })
      await vi.waitFor(async () => expect((await askFront('/')).status).toBe(200), 10_000)
      for (const status of [502, 503, 502, 503]) {
        expect((await askFront(`/${status}`)).status).toBe(status)
        const others = await Promise.all(Array.from({ length: 8 }, () => askFront('/')))
        expect(others.map((other) => other.status)).toEqual(Array(8).fill(200))
      }
      const requested = servers.flatMap(({ requested }) => requested)
      expect(requested.filter((path) => path !== '/').sort()).toEqual([
        '/502',
        '/502',
        '/503',
        '/503',
      ])
    })

    test('a click while the app restarts arrives', async () => {
      const { page } = await visit()
      await page.goto('/lab/request')
      await page.getByRole('button').first().waitFor()
      await hydratedElement(page.locator('form').first())
      await app.stop()
      await page.getByRole('link', { name: 'Server actions' }).first().click()
      // Skip this check for Caddy, which holds the request for up to five seconds until a server is
      // running.
      if (kind === nginx) await page.locator('[data-waymark-notice]').waitFor()
      await startSite()
      await page.getByRole('heading', { name: 'Server actions', level: 1 }).waitFor()
    })
  })
}

/** Starts an upstream server that responds with the status in the path, or with 200. */
async function startUpstream() {
  const requested: string[] = []
  const server = createServer(({ url = '' }, res) => {
    const [, status] = /^\/(\d{3})$/.exec(url) ?? []
    // Ignore requests for health checks.
    if (!url.startsWith('/_waymark/')) requested.push(url)
    res.writeHead(Number(status ?? 200)).end('text')
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { port, requested, close }
}
