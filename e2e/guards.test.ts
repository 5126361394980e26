import { expect, test } from 'vitest'
import { describeApp, type Served } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'
import { type RawAnswer, rawRequest } from './harness/rawRequest.ts'
import { heading } from './harness/visit.ts'

/** Finds the marks that all content behind a guard contains. */
const marks = (text: string) => [...new Set(text.match(/secret-[a-z-]+/g))].toSorted()

const member = { cookie: 'role=member' }
const crawler = { 'user-agent': 'Googlebot/2.1' }
const dataOf = (path: string) => `/_waymark/data${path}.rsc`
const settled = { 'waymark-final-status': '1' }
const prefetchHeaders = { 'waymark-prefetch': '1', 'waymark-from': '/' }

/** Layouts that refuse a visitor late or in time, with every kind of content behind the guard. */
const guarded = [
  '/late/inner',
  '/soft/late/inner',
  '/quick/inner',
  '/thenable/inner',
  '/part/area/inner',
]

/** Returns all requests that lead to a page, as targets with their headers. */
function formsOf(path: string): [target: string, headers: Record<string, string>][] {
  const folders = path
    .split('/')
    .slice(1)
    .map((_, index, all) => `/${all.slice(0, index + 1).join('/')}`)
  const held = { 'waymark-mounted': ['/', ...folders].join(',') }
  return [
    [path, {}],
    [path, crawler],
    [dataOf(path), {}],
    [dataOf(path), settled],
    [dataOf(path), held],
    [dataOf(path), { ...held, ...settled }],
    [dataOf(path), prefetchHeaders],
    [dataOf(path), { ...prefetchHeaders, 'waymark-from': path }],
  ]
}

const ask = (served: Served, target: string, headers: Record<string, string>): Promise<RawAnswer> =>
  rawRequest(served.app.origin, target, { headers })

describeApp('a layout that is a guard', { app: 'guards' }, (served) => {
  test.each(guarded)('reveals nothing behind it: %s', async (path) => {
    for (const [target, headers] of formsOf(path)) {
      const { body } = await ask(served, target, headers)
      expect([target, headers, marks(body)]).toEqual([target, headers, []])
    }
  })

  test.each(guarded)('reveals everything to those it admits: %s', async (path) => {
    const all = [
      'secret-description',
      'secret-og-description',
      'secret-og-title',
      'secret-page',
      'secret-template',
      'secret-title',
    ]
    // The response that fills a partial page's holes has no head, so it contains no resource hints.
    if (!path.startsWith('/part')) all.push('secret-dns', 'secret-connection', 'secret-style')
    if (path.includes('/late/')) all.push('secret-layout-dns')
    for (const target of [path, dataOf(path)]) {
      const { status, body } = await ask(served, target, member)
      expect([target, status]).toEqual([target, 200])
      expect(marks(body)).toEqual(expect.arrayContaining(all))
    }
  })

  test.each(['/late/gone', '/late/gone/later', '/late/moved', '/late/moved/later'])(
    'decides before a page behind it decides about the status: %s',
    async (path) => {
      for (const [target, headers] of formsOf(path)) {
        const { status, headers: answered, body } = await ask(served, target, headers)
        expect([target, headers, marks(body)]).toEqual([target, headers, []])
        expect([target, headers, status]).not.toEqual([target, headers, 404])
        expect(answered.get('location')).toBeNull()
      }
    },
  )

  test('that is late does not change the status of a page', async () => {
    const gone = await ask(served, '/late/gone', member)
    expect([gone.status, marks(gone.body)]).toEqual([
      404,
      expect.arrayContaining(['secret-not-found']),
    ])
    const moved = await ask(served, '/late/moved', member)
    expect([moved.status, moved.headers.get('location')]).toEqual([307, '/secret-target'])
    const later = await ask(served, '/late/gone/later', member)
    expect([later.status, marks(later.body)]).toEqual([
      200,
      expect.arrayContaining(['secret-not-found']),
    ])
  })

  test('does not delay content in front of it', async () => {
    const headers = { cookie: 'role=member; wait=2000' }
    const response = await served.fetch('/soft/late/inner', { headers })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    let read = ''
    while (!read.includes('id="soft"')) {
      read += Buffer.from((await reader.read()).value ?? []).toString()
    }
    expect(read).toContain('in front of every guard')
    expect(read).toContain('<title>In front</title>')
    expect(read).toContain('<meta name="viewport"')
    expect(marks(read)).toEqual([])
    await reader.cancel()
  })

  test.each(['/soft/late/inner', '/part/area/inner'])(
    "sets the document's title once it has admitted: %s",
    async (path) => {
      const { page, expectQuietConsole } = await openPage(served.app)
      await page.context().addCookies([{ name: 'role', value: 'member', url: served.app.origin }])
      await page.goto(path, { waitUntil: 'commit' })
      await heading(page, 'secret-page').waitFor()
      await page.waitForFunction(() => 'router' in window)
      await expect.poll(() => page.title()).toBe('secret-title secret-suffix')
      expect(await page.locator('head > title').count()).toBe(1)
      expect(await page.locator('meta[name=description]').getAttribute('content')).toBe(
        'secret-description',
      )
      await page.evaluate(() => window.router.push('/client/one'))
      await heading(page, 'client one').waitFor()
      await expect.poll(() => page.title()).toBe('client one | In front')
      await page.evaluate((to) => window.router.push(to), path)
      await heading(page, 'secret-page').waitFor()
      await expect.poll(() => page.title()).toBe('secret-title secret-suffix')
      expectQuietConsole()
    },
  )

  test.runIf(served.mode === 'production')('can have a shell in front of it', async () => {
    const { headers, body } = await ask(served, '/part/area/inner', { cookie: 'wait=300' })
    expect(headers.get('waymark-cache')).toBe('hit')
    expect(body).toContain('<title>In front</title>')
    expect(body).toContain('id="part"')
    expect(marks(body)).toEqual([])
  })

  test('that refuses late shows its screen, under the title of the shell', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/soft/late/inner')
    await page.getByText('403', { exact: true }).waitFor()
    expect(await page.title()).toBe('In front')
  })
})
