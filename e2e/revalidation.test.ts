import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { describeModes, type Served } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'

/** Returns the heading of a page. */
async function heading(served: Served, path: string): Promise<string> {
  const text = await (await served.fetch(path)).text()
  // Remove the comments with which React separates texts.
  return /<h1>(.*?)<\/h1>/.exec(text)?.[1]?.replaceAll('<!-- -->', '') ?? text
}

async function rendered(served: Served): Promise<Record<string, number>> {
  return (await (await served.fetch('/api/state')).json()).rendered
}

const setState = (served: Served, state: object) =>
  served.fetch('/api/state', { method: 'POST', body: JSON.stringify(state) })

const revalidate = (served: Served, query: string) =>
  served.fetch(`/api/revalidate?${query}`, { method: 'POST' })

const stateOf = async (served: Served, path: string) =>
  (await served.fetch(path)).headers.get('waymark-cache')

describeModes('revalidation', { app: 'revalidation', modes: ['production'] }, (served) => {
  describe('by time', () => {
    test('a stale page is served, and regenerated in the background', async () => {
      // Wait for a fresh page, because the one from the build may already be stale.
      await expect.poll(() => stateOf(served, '/timed')).toBe('hit')
      const first = await heading(served, '/timed')
      await sleep(2100)
      expect(await heading(served, '/timed')).toBe(first)
      await expect.poll(() => heading(served, '/timed')).not.toBe(first)
      expect(await stateOf(served, '/timed')).toBe('hit')
    })

    test('document and data come from one rendering', async () => {
      const time = await heading(served, '/timed')
      const data = await (await served.fetch('/_waymark/data/timed.rsc')).text()
      if ((await heading(served, '/timed')) === time) expect(data).toContain(time)
    })

    test('a thousand concurrent requests for an expired page render it once', async () => {
      await heading(served, '/slow/crowd')
      await revalidate(served, 'path=/slow/crowd')
      const before = (await rendered(served))['slow crowd'] ?? 0
      const all = await Promise.all(
        Array.from({ length: 1000 }, () => served.fetch('/slow/crowd').then((r) => r.text())),
      )
      expect(new Set(all).size).toBe(1)
      expect((await rendered(served))['slow crowd']).toBe(before + 1)
    })

    test('a page that fails to regenerate keeps its old content, is in the journal, and backs off', async () => {
      const old = await heading(served, '/fails')
      await setState(served, { isBroken: true })
      await sleep(1100)
      const before = (await rendered(served)).fails ?? 0
      for (let time = 0; time < 20; time++) {
        expect(await heading(served, '/fails')).toMatch(/^fails \d+ \d+$/)
      }
      await expect.poll(() => served.app.logs()).toContain('prerender /fails')
      expect(await stateOf(served, '/fails')).toBe('stale')
      expect(((await rendered(served)).fails ?? 0) - before).toBeLessThanOrEqual(2)
      await setState(served, { isBroken: false })
      await expect.poll(() => heading(served, '/fails'), { timeout: 8000 }).not.toBe(old)
    })

    test('a deleted page is a 404, and may come back', async () => {
      await setState(served, { isGone: true })
      await sleep(1100)
      await served.fetch('/gone')
      await expect.poll(async () => (await served.fetch('/gone')).status).toBe(404)
      expect((await served.fetch('/gone')).headers.get('cache-control')).toContain('no-store')
      await setState(served, { isGone: false })
      expect((await served.fetch('/gone')).status).toBe(200)
    })
  })

  describe('on demand', () => {
    test('a path: the next request gets the new page', async () => {
      const old = await heading(served, '/plain')
      expect(await heading(served, '/plain?a=1')).toBe(old)
      await revalidate(served, 'path=/plain')
      const next = await heading(served, '/plain')
      expect(next).not.toBe(old)
      expect(await heading(served, '/plain')).toBe(next)
      expect(await (await served.fetch('/_waymark/data/plain.rsc')).text()).toContain(next)
    })

    test('all pages of a pattern, and all pages below a path', async () => {
      const slugs = ['first', 'second']
      const read = () => Promise.all(slugs.map((slug) => heading(served, `/posts/${slug}`)))
      const one = await read()
      await revalidate(served, `path=${encodeURIComponent('/posts/[slug]')}`)
      const two = await read()
      await revalidate(served, 'path=/posts&type=layout')
      const three = await read()
      await revalidate(served, 'path=/plain')
      expect(await read()).toEqual(three)
      expect(new Set([...one, ...two, ...three]).size).toBe(6)
    })

    test('a route handler', async () => {
      const read = async () => (await served.fetch('/feed.xml')).text()
      const old = await read()
      expect(await read()).toBe(old)
      await revalidate(served, 'path=/feed.xml')
      expect(await read()).not.toBe(old)
    })
  })

  describe('params that the build does not list', () => {
    test('are rendered at the first request, and cached', async () => {
      const first = await served.fetch('/posts/third')
      expect(first.headers.get('waymark-cache')).toBe('miss')
      const again = await served.fetch('/posts/third')
      expect(again.headers.get('waymark-cache')).toBe('hit')
      expect(await again.text()).toBe(await first.text())
      expect((await rendered(served))['post third']).toBe(1)
    })

    test('without generateStaticParams, if the page is force-static', async () => {
      expect(await stateOf(served, '/any/a')).toBe('miss')
      expect(await stateOf(served, '/any/a?query=is+ignored')).toBe('hit')
    })
  })

  describe('never cached', () => {
    test.each([
      ['a fallback', '/posts/missing', 404],
      ['an error', '/posts/broken', 500],
      ['what reads cookies', '/posts/own', 200],
      ['a dynamic page', '/personal', 200],
    ])('%s', async (_what, path, status) => {
      for (let time = 0; time < 3; time++) {
        const answer = await served.fetch(path, { headers: { cookie: `name=n${time}` } })
        expect(answer.status).toBe(status)
        expect(answer.headers.get('cache-control')).toBe('private, no-store')
        expect(answer.headers.get('waymark-cache')).toBeNull()
        if (status === 200) expect(await answer.text()).toContain(`n${time}</h1>`)
      }
    })
  })

  describe('headers for caches', () => {
    test('of a page with a lifetime: how long shared caches may store it, and its age', async () => {
      await heading(served, '/timed')
      await expect.poll(() => stateOf(served, '/timed')).toBe('hit')
      const { headers } = await served.fetch('/timed')
      expect(headers.get('cache-control')).toBe('public, max-age=0, s-maxage=2')
      expect(headers.get('cdn-cache-control')).toBe(
        'public, max-age=2, stale-while-revalidate=3598',
      )
      expect(Number(headers.get('age'))).toBeLessThanOrEqual(2)
      expect(headers.get('vary')).toBe('accept-encoding')
    })

    test('of other pages: caches must ask each time', async () => {
      const { headers } = await served.fetch('/posts/third')
      expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
      expect(headers.get('age')).toBeNull()
    })

    test('304 while the page is unchanged', async () => {
      const etag = (await served.fetch('/plain')).headers.get('etag') ?? ''
      const ask = () => served.fetch('/plain', { headers: { 'if-none-match': etag } })
      const same = await ask()
      expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag])
      await revalidate(served, 'path=/plain')
      expect((await ask()).status).toBe(200)
      expect((await ask()).headers.get('etag')).not.toBe(etag)
    })

    test('each encoding has its own ETag, and the same content', async () => {
      await expect.poll(() => stateOf(served, '/timed')).toBe('hit')
      const answers = await Promise.all(
        ['br', 'gzip', 'identity'].map((coding) =>
          served.fetch('/timed', { headers: { 'accept-encoding': coding } }),
        ),
      )
      const [br, gzip, identity] = answers
      expect(br?.headers.get('content-encoding')).toBe('br')
      expect(gzip?.headers.get('content-encoding')).toBe('gzip')
      expect(identity?.headers.get('content-encoding')).toBeNull()
      expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(3)
      expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1)
    })

    test('HEAD has the headers of GET', async () => {
      const head = await served.fetch('/posts/third', { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
      expect(head.headers.get('etag')).toBe(
        (await served.fetch('/posts/third')).headers.get('etag'),
      )
    })
  })

  test('a browser revalidates on a second visit, and sees the new page', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/timed')
    const first = await page.locator('h1').textContent()
    await sleep(2100)
    await heading(served, '/timed')
    await expect.poll(() => heading(served, '/timed')).not.toBe(first)
    const now = await heading(served, '/timed')
    await page.goto('/timed')
    expect(await page.locator('h1').textContent()).not.toBe(first)
    expect(now).not.toBe(first)
  })

  test('an invalid path of a client is refused, and is not an error of the app', async () => {
    expect((await revalidate(served, 'path=/a/../../b')).status).toBe(400)
    expect(served.app.logs()).not.toContain('REVALIDATE_PATH')
  })
})

describeModes('revalidation', { app: 'revalidation', modes: ['dev'] }, (served) => {
  test('each request renders, and a call logs what it would do', async () => {
    const first = await heading(served, '/plain')
    expect(await heading(served, '/plain')).not.toBe(first)
    expect((await revalidate(served, 'path=/plain')).status).toBe(200)
    await expect.poll(() => served.app.logs()).toContain('revalidatePath("/plain")')
  })
})
