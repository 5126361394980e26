import { expect, test } from 'vitest'
import { describeApp, type Served } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { rawRequest } from './harness/rawRequest.ts'

const logOf = async (served: Served): Promise<string[]> =>
  (await served.fetch('/log')).json() as Promise<string[]>

describeApp('proxy.ts', { app: 'proxied' }, (served) => {
  test('responds in place of the app', async () => {
    const response = await served.fetch('/answered')
    expect([response.status, response.headers.get('x-answered')]).toEqual([203, 'GET'])
    expect(await response.text()).toBe('<h1>From the proxy</h1>')
    const head = await served.fetch('/answered', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([203, ''])
    const body = await served.fetch('/body', { method: 'POST', body: 'grüße' })
    expect(await body.json()).toEqual({ body: 'grüße' })
  })

  test('does not run for invalid Requests: TRACE, a malformed host', async () => {
    // Leave out the line that the dev server logs for each request.
    const logs = () => served.app.logs().replaceAll(/^[A-Z]+ \S+ \d{3} in \d+ ms.*\n/gm, '')
    const logged = logs()
    const seen = await logOf(served)
    const origin = served.app.origin
    for (const method of ['TRACE', 'TRACK']) {
      // Skip TRACK in development, because Node doesn't pass unknown methods to the dev server.
      if (served.mode === 'dev' && method === 'TRACK') continue
      const refused = await rawRequest(origin, '/guarded/1', { method })
      expect([refused.status, refused.headers.get('allow')]).toEqual([
        405,
        expect.stringContaining('GET, HEAD'),
      ])
    }
    const malformed = await rawRequest(origin, '/guarded/1', { headers: { host: 'x:99999' } })
    expect(served.mode === 'dev' ? [400, 403] : [400]).toContain(malformed.status)
    expect(await logOf(served)).toEqual(seen)
    expect(logs()).toBe(logged)
  })

  test('redirects page data to page data', async () => {
    const pairs = [
      ['/old', 308, '/open'],
      ['/signalled', 307, '/open?from=signal'],
    ] as const
    for (const [path, status, location] of pairs) {
      const document = await served.fetch(path)
      expect(document.status).toBe(status)
      const resolved = new URL(document.headers.get('location') ?? '', served.url('/'))
      expect(resolved.href).toBe(served.url(location))
      const data = await served.fetch(`/_waymark/data${path}.rsc`)
      expect(data.status).toBe(status)
      const followed = new URL(data.headers.get('location') ?? '', served.url('/'))
      expect(followed.href).toBe(served.url(location.replace('/open', '/_waymark/data/open.rsc')))
    }
  })

  test('may send a signal or fail', async () => {
    expect((await served.fetch('/hidden')).status).toBe(404)
    const broken = await served.fetch('/broken')
    expect(broken.status).toBe(500)
    const digest = broken.headers.get('x-waymark-digest') ?? 'none'
    await expect.poll(served.app.logs).toContain(digest)
    if (served.mode === 'production') {
      expect(await broken.text()).not.toContain('secret of the proxy')
    }
  })

  test('rewrites: another page is served, and the URL stays', async () => {
    const html = await (await served.fetch('/alias?x=1')).text()
    expect(html).toContain('<h1>Target</h1>')
    expect(html).toContain('{&quot;shown&quot;:&quot;yes&quot;}')
    expect(html).toContain('address <!-- -->/alias<!-- --> <!-- -->x=1')
    const withQuery = await served.fetch('/alias-kept?y=2')
    expect(withQuery.headers.get('x-rewritten')).toBe('kept')
    expect(await withQuery.text()).toContain('{&quot;y&quot;:&quot;2&quot;}')
    const data = await served.fetch('/_waymark/data/alias.rsc?x=1')
    expect(await data.text()).toContain('"pathname":"/alias","search":"?x=1"')
    expect(await (await served.fetch('/alias-static')).text()).toContain('Open to all')
  })

  test('answers a rewrite to nowhere with 404, and a rewrite to another site with an error', async () => {
    const nowhere = await served.fetch('/alias-nowhere')
    expect(nowhere.status).toBe(404)
    expect(await nowhere.text()).toContain('<h1>Nothing is here</h1>')
    expect((await served.fetch('/alias-elsewhere')).status).toBe(500)
    await expect.poll(served.app.logs).toContain('PROXY_REWRITE')
  })

  test('sets headers, request headers and cookies for the route', async () => {
    const headers = { 'x-team': 'reds', 'x-secret': 'hidden', cookie: 'visit=before' }
    for (const path of ['/seen?name=ann', '/_waymark/data/seen.rsc?name=ann']) {
      const response = await served.fetch(path, { headers })
      expect(response.headers.get('x-line')).toBe('1')
      expect(response.headers.getSetCookie().map((line) => line.split(';')[0])).toEqual(
        expect.arrayContaining(['a=1', 'b=2', 'visit=ann']),
      )
      expect(await response.text()).toContain('user ann of reds, secret null, visit ann.')
    }
    await expect.poll(() => logOf(served)).toContain('after ann')
  })

  test('sets headers on every response: pages, static pages, screens', async () => {
    for (const path of ['/', '/open', '/login', '/no/such/page', '/_waymark/data/open.rsc']) {
      const { headers } = await served.fetch(path)
      const pathname = path.replace(/^\/_waymark\/data|\.rsc$/g, '')
      expect([path, headers.get('x-proxied')]).toEqual([path, pathname])
    }
    const { headers } = await served.fetch('/open', { headers: { 'accept-encoding': 'br' } })
    expect(headers.get('x-proxied')).toBe('/open')
  })

  test('sees one URL for document and data, once, for any spelling of the path', async () => {
    const before = (await logOf(served)).length
    for (const path of ['/login?a=%62', '/_waymark/data/login.rsc?a=%62', '/l%6fgin?a=%62']) {
      expect((await served.fetch(path)).status).toBe(200)
    }
    expect((await logOf(served)).slice(before)).toEqual(Array(3).fill('GET /login?a=%62'))
  })

  test('does not run for paths outside its matcher', async () => {
    const response = await served.fetch('/unmatched')
    expect([response.status, response.headers.get('x-proxied')]).toEqual([200, null])
    expect(await logOf(served)).not.toContain('GET /unmatched')
  })

  test('does not run for assets', async () => {
    await served.fetch('/_waymark/assets/none.js')
    expect((await logOf(served)).filter((line) => line.includes('/assets/'))).toEqual([])
  })

  test('runs for links: rewrites, redirects, responses', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/open')
    await hydratedElement(page.getByRole('link', { name: 'Alias' }))
    await page.evaluate(() => Object.assign(window, { kept: true }))
    await page.getByRole('link', { name: 'Alias' }).click()
    await page.getByText('address /alias x=1').waitFor()
    expect(await page.locator('#query').textContent()).toBe('query {"shown":"yes"}')
    expect(new URL(page.url()).pathname).toBe('/alias')
    await page.getByRole('link', { name: 'Plan' }).click()
    await page.getByRole('heading', { name: 'Log in for /guarded/plan' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
    await page.getByRole('link', { name: 'Old' }).click()
    await page.getByRole('heading', { name: 'Open to all' }).waitFor()
    expect(await page.evaluate(() => 'kept' in window)).toBe(true)
    // The proxy's response is not page data, so the browser opens the URL as a document.
    await page.getByRole('link', { name: 'Answered' }).click()
    await page.getByRole('heading', { name: 'From the proxy' }).waitFor()
    expect(await page.evaluate(() => 'kept' in window)).toBe(false)
  })

  test('reloading a rewritten page hydrates without a warning', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/alias?x=1')
    await hydratedElement(page.locator('#address'))
    expect(await page.locator('#address').textContent()).toBe('address /alias x=1')
    expectQuietConsole()
  })
})
