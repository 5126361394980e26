import { get, type IncomingMessage, request } from 'node:http'
import { expect, test } from 'vitest'
import { describeApp, type Served } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { rawRequest } from './harness/rawRequest.ts'

const logOf = async (served: Served): Promise<string[]> =>
  (await served.fetch('/api/log')).json() as Promise<string[]>

describeApp('route handlers', { app: 'requests' }, (served) => {
  test('handle every method, with its body', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const body = method === 'GET' ? null : 'grüße'
      const response = await served.fetch('/api/methods?a=1', { method, body })
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({
        method,
        url: served.url('/api/methods?a=1'),
        body: body ?? '',
      })
    }
  })

  test('serve HEAD from GET, without a body', async () => {
    const raw = await rawRequest(served.app.origin, '/api/methods', { method: 'HEAD' })
    expect([raw.status, raw.body]).toEqual([200, ''])
    expect(raw.headers.get('content-type')).toBe('application/json')
    // The GET handler can see that the request's method is HEAD.
    expect(raw.headers.get('x-method')).toBe('HEAD')
  })

  test('serve OPTIONS, and 405 with an Allow header for missing methods', async () => {
    const allow = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
    const options = await served.fetch('/api/methods', { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow])
    const odd = await rawRequest(served.app.origin, '/api/methods', { method: 'PROPFIND' })
    expect([odd.status, odd.headers.get('allow')]).toEqual([405, allow])
    const missing = await served.fetch('/api/items/1', { method: 'POST', body: 'x' })
    expect([missing.status, missing.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test('may handle HEAD and OPTIONS themselves', async () => {
    const head = await served.fetch('/api/own', { method: 'HEAD' })
    expect([head.status, head.headers.get('x-own')]).toEqual([202, 'head'])
    const options = await served.fetch('/api/own', { method: 'OPTIONS' })
    expect(await options.text()).toBe('what one may do')
    const get = await served.fetch('/api/own')
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'HEAD, OPTIONS'])
  })

  test('get the params of their path, decoded', async () => {
    const item = await served.fetch('/api/items/h%C3%A9llo%20w?x=1&x=2')
    const query = [
      ['x', '1'],
      ['x', '2'],
    ]
    expect(await item.json()).toEqual({ id: 'héllo w', query })
    expect(await (await served.fetch('/api/files/a/b%20c/d.txt')).json()).toEqual([
      'a',
      'b c',
      'd.txt',
    ])
  })

  test('have no page data', async () => {
    const response = await served.fetch('/_waymark/data/api/methods.rsc')
    expect(response.headers.get('content-type')).not.toBe('application/json')
    expect(await response.text()).not.toContain('"method"')
  })

  test('stream in both directions at the same time', async () => {
    const call = request(served.url('/api/upper'), { method: 'POST' })
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      call.once('response', resolve).once('error', reject)
    })
    call.write('first ')
    let text = ''
    const response = await answered
    response.setEncoding('utf8').on('data', (piece) => {
      text += piece
    })
    // Wait for the response to each chunk before the next chunk is sent.
    await expect.poll(() => text).toBe('FIRST ')
    call.write('second ')
    await expect.poll(() => text).toBe('FIRST SECOND ')
    call.end('third')
    await new Promise((resolve) => response.once('end', resolve))
    expect(text).toBe('FIRST SECOND THIRD')
  })

  test('get an abort signal when the client leaves, and their stream is cancelled', async () => {
    await new Promise<void>((resolve, reject) => {
      const call = get(served.url('/api/ticks'), (response) => {
        response.once('data', () => call.destroy())
        response.once('error', () => {}) // the test aborts the response
        response.once('close', resolve)
      })
      call.once('error', reject)
    })
    const expected = ['ticks: the client left', 'ticks: cancelled']
    await expect.poll(() => logOf(served)).toEqual(expect.arrayContaining(expected))
  })

  test('are opened as a document by a link', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/scope')
    await hydratedElement(page.getByRole('link', { name: 'Methods' }))
    await page.getByRole('link', { name: 'Methods' }).click()
    await page.getByText('"method":"GET"').waitFor()
  })

  test('send 500 without details for a value that is not a Response', async () => {
    const response = await served.fetch('/api/broken')
    expect(response.status).toBe(500)
    const digest = response.headers.get('x-waymark-digest') ?? 'none'
    const body = await response.text()
    expect(body).toContain(digest)
    if (served.mode === 'production') expect(body).not.toContain('secret')
    await expect.poll(served.app.logs).toContain(digest)
  })

  test('cut the connection when their stream fails, and the log says why', async () => {
    const answered = served.fetch('/api/broken', { method: 'POST' })
    await expect(answered.then((response) => response.text())).rejects.toThrow()
    await expect.poll(() => served.app.logs()).toContain('secret of the stream')
    expect((await served.fetch('/api/methods')).status).toBe(200)
  })

  test.each([
    ['redirect', 307, '/scope?from=redirect'],
    ['seeOther', 303, '/scope'],
    ['elsewhere', 307, 'https://example.com/a?b=c'],
    ['permanent', 308, '/scope'],
    ['notFound', 404, null],
    ['forbidden', 403, null],
    ['unauthorized', 401, null],
    ['error', 500, null],
  ])('%s is %i', async (kind, status, location) => {
    const response = await served.fetch(`/api/signals/${kind}`)
    expect([response.status, response.headers.get('location')]).toEqual([status, location])
    // In development, the response contains the error.
    if (served.mode === 'production') expect(await response.text()).not.toContain('secret')
    if (status < 500) expect(response.headers.get('set-cookie')).toContain('seen=yes')
  })

  test('redirect after a POST with 303, so that the browser requests a page', async () => {
    const post = (kind: string) => served.fetch(`/api/signals/${kind}`, { method: 'POST' })
    const { status, headers } = await post('redirect')
    expect([status, headers.get('location')]).toEqual([303, '/scope?from=redirect'])
    expect((await post('permanent')).status).toBe(308)
  })
})

describeApp('metadata files', { app: 'requests' }, (served) => {
  const manifestLink = '<link rel="manifest" href="/manifest.webmanifest"/>'

  test.each([
    ['/sitemap.xml', 'application/xml', '<loc>https://acme.com/search?a=1&amp;b=2</loc>'],
    ['/robots.txt', 'text/plain; charset=utf-8', 'Disallow: /api/\n\nSitemap: https://acme.com'],
    ['/manifest.webmanifest', 'application/manifest+json', '"name":"Größe"'],
  ])('%s is served as %s', async (path, type, text) => {
    const response = await served.fetch(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(await response.text()).toContain(text)
    const head = await rawRequest(served.app.origin, path, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type'), head.body]).toEqual([200, type, ''])
    const posted = await served.fetch(path, { method: 'POST', body: 'x' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test('are prerendered if they use nothing of a request', async () => {
    const textOf = async () => (await served.fetch('/sitemap.xml')).text()
    const first = await textOf()
    const isMade = (await textOf()) === first
    expect(isMade).toBe(served.mode === 'production')
  })

  test('run for each request if they read one, in any folder', async () => {
    for (const tenant of ['a', 'b']) {
      const response = await served.fetch('/api/sitemap.xml', { headers: { 'x-tenant': tenant } })
      expect(await response.text()).toContain(`<loc>https://${tenant}.acme.com/</loc>`)
    }
  })

  test('send 500 without details when they fail', async () => {
    const response = await served.fetch('/api/sitemap.xml')
    expect(response.status).toBe(500)
    const digest = response.headers.get('x-waymark-digest') ?? 'none'
    const body = await response.text()
    expect(body).toContain(digest)
    if (served.mode === 'production') expect(body).not.toContain('secret')
    await expect.poll(served.app.logs).toContain(digest)
  })

  test('link the manifest from each document, and browsers can read it', async () => {
    expect(await (await served.fetch('/scope')).text()).toContain(manifestLink)
    expect(await (await served.fetch('/nowhere')).text()).toContain(manifestLink)
    const { page } = await openPage(served.app)
    await page.goto('/scope')
    const session = await page.context().newCDPSession(page)
    const { url, errors } = await session.send('Page.getAppManifest')
    expect([url, errors]).toEqual([served.url('/manifest.webmanifest'), []])
  })
})
