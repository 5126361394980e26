import { expect, onTestFinished, test } from 'vitest'
import { describeApp, describeModes } from './harness/describeModes.ts'
import { isHydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { visitPlain } from './harness/plainVisit.ts'
import { timedRequest } from './harness/timedRequest.ts'
import { nginx, startSharedCache } from './harness/webServer.ts'

describeApp('server.ts', { app: 'serverFile' }, (served) => {
  const stored = async () =>
    (await (await served.fetch('/stored')).json()) as { keys: string[]; digests: string[] }

  test('wraps documents, their data and navigations in its own context', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/')
    expect(await page.locator('#locale').textContent()).toBe('en')
    await page.getByRole('link').click()
    await expect.poll(() => page.locator('#locale').textContent()).toBe('de')
    expectQuietConsole()
    const data = await served.fetch('/_waymark/data.rsc?lang=de')
    expect(data.headers.get('x-around')).toBe('GET / 200')
  })

  test('wraps prerendered pages, too, and sends their body', async () => {
    const response = await served.fetch('/still')
    expect(response.headers.get('x-around')).toBe('GET /still 200')
    expect(await response.text()).toContain('still en')
    const head = await served.fetch('/still', { method: 'HEAD' })
    expect(head.headers.get('x-around')).toBe('HEAD /still 200')
  })

  test('wraps route handlers, without reading their body', async () => {
    const response = await served.fetch('/echo', { method: 'POST', body: 'a body' })
    expect(await response.text()).toBe('a body')
    expect(response.headers.get('x-around')).toBe('POST /echo 200')
  })

  test('answers in place of the app', async () => {
    const response = await served.fetch('/teapot')
    expect([response.status, await response.text()]).toEqual([418, 'of its own'])
    expect(response.headers.get('cache-control')).toContain('no-store')
  })

  test('sees the true status of a failure, and its own failure is reported', async () => {
    const failed = await served.fetch('/thrown')
    expect(failed.headers.get('x-around')).toBe('GET /thrown 500')
    const thrown = await served.fetch('/thrown-around')
    expect(thrown.status).toBe(500)
    expect(await thrown.text()).toContain('</html>')
    const { digests } = await stored()
    for (const { headers } of [failed, thrown]) {
      expect(digests).toContain(headers.get('x-waymark-digest'))
    }
  })

  test.each(['/registered', '/registered/partial', '/registered/late'])(
    'provides client components to pages that do not import them, such as %s',
    async (path) => {
      const { page, expectQuietConsole } = await visitPlain(served.app, path)
      await expect.poll(() => isHydrated(page)).toBe(true)
      await page.locator('button.registered').click()
      await page.getByText('registered 1').waitFor()
      expectQuietConsole()
    },
  )

  test('limits the number of documents that are rendered at the same time', async () => {
    await (await served.fetch('/slow')).text()
    const streaming = await Promise.all([served.fetch('/slow'), served.fetch('/slow')])
    const refused = await served.fetch('/slow')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.text()).toContain('</html>')
    expect((await served.fetch('/_waymark/data/slow.rsc')).status).toBe(200)
    for (const response of streaming) expect(await response.text()).toContain('late')
    const again = await served.fetch('/slow')
    expect(again.status).toBe(200)
    await again.text()
  })

  const staff = { cookie: 'staff=1' }
  const gated = [
    '/gated/isr',
    '/_waymark/data/gated/isr.rsc',
    '/gated/still',
    '/_waymark/data/gated/still.rsc',
    '/gated/feed',
    '/gated/sitemap.xml',
    '/gated/moved',
    '/gated/nowhere',
    '/gated/isr/',
    '//gated/isr',
    '/favicon.ico',
  ]

  test.each(gated)('never lets a shared cache store %s', async (path) => {
    for (const headers of [staff, {}]) {
      const response = await served.fetch(path, { headers })
      expect(response.headers.get('cache-control')).toMatch(/^private, no-(cache|store)$/)
      expect(response.headers.get('cdn-cache-control')).toBeNull()
      const etag = response.headers.get('etag')
      await response.text()
      if (etag === null) continue
      const again = await served.fetch(path, { headers: { ...headers, 'if-none-match': etag } })
      expect(again.status).toBe(304)
      expect(again.headers.get('cache-control')).toBe('private, no-cache')
      expect(again.headers.get('cdn-cache-control')).toBeNull()
    }
  })

  test('does not change the policy of a route handler, or a policy that it sets itself', async () => {
    const policyOf = async (path: string) => {
      const { headers } = await served.fetch(path, { headers: staff })
      return [headers.get('cache-control'), headers.get('cdn-cache-control')]
    }
    expect(await policyOf('/gated/own')).toEqual(['public, max-age=9', null])
    expect(await policyOf('/gated/around')).toEqual(['public, s-maxage=9', null])
  })

  test.skipIf(nginx.program === null)('works behind a shared cache', async () => {
    const cache = await startSharedCache(Number(new URL(served.app.origin).port))
    onTestFinished(cache.stop)
    const ask = (path: string, headers = {}) => timedRequest(`${cache.origin}${path}`, { headers })
    for (const path of gated.slice(0, 6)) {
      for (let time = 0; time < 2; time++) expect((await ask(path, staff)).status).toBe(200)
      const { status, body, headers } = await ask(path)
      expect([path, status, headers['x-cache']]).toEqual([path, 401, 'MISS'])
      expect(body).toBe('refused')
    }
    // Check that the cache works at all: it must store public responses.
    await ask('/gated/around', staff)
    expect((await ask('/gated/around')).headers['x-cache']).toBe('HIT')
  })

  test('configures where cached values are stored', async () => {
    const first = await (await served.fetch('/read')).json()
    expect(await (await served.fetch('/read')).json()).toBe(first)
    expect((await stored()).keys.some((key) => key.includes('count'))).toBe(true)
  })
})

const mistakes = [
  ['a limit of zero', 'export default { maxDocuments: 0 }', 'SERVER_EXPORT'],
  ['no object', 'export const around = 1', 'SERVER_EXPORT'],
  ['no function', 'export default { around: 1 }', 'SERVER_EXPORT'],
  ['an incomplete around object', 'export default { around: { run: () => {} } }', 'SERVER_EXPORT'],
  ['no driver', 'export default { cache: () => ({}) }', 'SERVER_DRIVER'],
] as const

for (const [what, source, code] of mistakes) {
  describeModes(
    `a server.ts with ${what}`,
    { app: 'basic', files: { 'server.ts': `${source}\n` }, modes: ['dev'] },
    (served) => {
      test('is named, with what to do', async () => {
        const text = await (await served.fetch('/')).text()
        expect(text).toContain(code)
        expect(text).toContain('server.ts')
      })
    },
  )
}
