import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from './harness/appFolder.ts'
import { describeApp, type Served } from './harness/describeModes.ts'
import { digestPattern } from './harness/digests.ts'
import { hydratedElement, openPage } from './harness/page.ts'

// Remove shells that an earlier run of the same build has regenerated.
beforeAll(async () => {
  const root = await buildApp({ app: 'partial' })
  rmSync(join(root, '.waymark/cache'), { recursive: true, force: true })
})

const setState = (served: Served, state: object) =>
  served.fetch('/api/state', { method: 'POST', body: JSON.stringify(state) })

const as = (name: string) => ({ headers: { cookie: `name=${name}` } })

const textOf = async (served: Served, path: string, init?: RequestInit) =>
  (await served.fetch(path, init)).text()

/** Returns the text of an element, without the comments that React adds. */
function textIn(html: string, id: string): string | undefined {
  return new RegExp(`id="${id}"[^>]*>(.*?)</p>`).exec(html)?.[1]?.replaceAll('<!-- -->', '')
}

/** Reads a body until it contains a text. Further calls can read the rest. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, text: string) {
  const decoder = new TextDecoder()
  let read = ''
  while (!read.includes(text)) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`The body ended without ${text}.`)
    read += decoder.decode(value, { stream: true })
  }
  return read
}

async function readRest(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let read = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return read
    read += Buffer.from(value).toString()
  }
}

describeApp('a partial page', { app: 'partial' }, (served) => {
  const isBuilt = served.mode === 'production'

  test('sends its shell while a hole still waits', async () => {
    await setState(served, { held: 'cart' })
    const response = await served.fetch('/shop?q=shoes', as('ada'))
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    if (isBuilt) expect(response.headers.get('waymark-cache')).toBe('hit')
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const shell = await readUntil(reader, 'id="waiting"')
    expect(shell).toContain('<h1>shop</h1>')
    expect(shell).not.toContain('cart of')
    await setState(served, { held: '' })
    const rest = await readRest(reader)
    expect(rest).toContain('cart of ada')
    expect(shell + rest).toContain('search shoes')
  })

  test('gives each visitor different content at the same time', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `visitor${index}`)
    const pages = await Promise.all(names.map((name) => textOf(served, '/shop', as(name))))
    for (const [index, html] of pages.entries()) {
      const carts = new Set([...html.matchAll(/cart of (\w+)/g)].map(([, name]) => name))
      expect([...carts]).toEqual([names[index]])
    }
  })

  test('is shown by a navigation, too', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.context().addCookies([{ name: 'name', value: 'eve', url: served.app.origin }])
    await page.goto('/plain')
    await page.getByRole('link', { name: 'shop' }).click()
    await page.getByText('cart of eve').waitFor()
    await page.reload()
    await page.getByText('cart of eve').waitFor()
    expectQuietConsole()
  })

  test('hydrates its shell before the hole arrives, and then the hole', async () => {
    await setState(served, { held: 'cart' })
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.context().addCookies([{ name: 'name', value: 'ada', url: served.app.origin }])
    await page.goto('/shop', { waitUntil: 'commit' })
    const shell = await hydratedElement(page.locator('#shell'))
    await shell.click()
    await expect.poll(() => shell.textContent()).toBe('shell 1')
    expect(await page.locator('#waiting').count()).toBe(1)
    await setState(served, { held: '' })
    await page.getByText('cart of ada').waitFor()
    const hole = await hydratedElement(page.locator('#hole'))
    await hole.click()
    await expect.poll(() => hole.textContent()).toBe('hole 1')
    expect(await shell.textContent()).toBe('shell 1')
    expect(await page.title()).toBe('Shop')
    expectQuietConsole()
  })

  test('is complete without JavaScript', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.context().addCookies([{ name: 'name', value: 'ada', url: served.app.origin }])
    await page.goto('/shop?q=shoes')
    await page.getByText('cart of ada').waitFor()
    await page.getByText('search shoes').waitFor()
    expect(await page.locator('#soon').textContent()).toBe('soon')
    expect(await page.locator('#waiting').count()).toBe(0)
  })

  test('shows the error screen for a hole that fails, with a digest', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/broken')
    const alert = page.getByRole('alert')
    await alert.getByText(digestPattern).waitFor()
    const [digest = ''] = digestPattern.exec(String(await alert.textContent())) ?? []
    await expect.poll(() => served.app.logs()).toContain(digest)
    if (isBuilt) expect(await page.content()).not.toContain('the secret of the hole')
  })

  test('a redirect in a hole is followed', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/late')
    await page.getByRole('heading', { name: 'plain' }).waitFor()
  })

  test('waits inside a loading file', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.context().addCookies([{ name: 'name', value: 'ada', url: served.app.origin }])
    await page.goto('/loading')
    await page.getByRole('heading', { name: 'hello ada' }).waitFor()
    expectQuietConsole()
  })

  describe.runIf(!isBuilt)('in development', () => {
    const lines = () =>
      served.app
        .logs()
        .split('\n')
        .filter((line) => line.includes("the build can't make a shell"))

    test('is rendered for each request, including its shell', async () => {
      const rendered = async () => textIn(await textOf(served, '/shop'), 'rendered')
      expect(await rendered()).not.toBe(await rendered())
      expect((await served.fetch('/shop')).headers.get('waymark-cache')).toBeNull()
    })

    test('says once why a page will have no shell, and nothing about pages that will have one', async () => {
      for (const path of ['/shop', '/items/1', '/plain', '/outside', '/outside']) {
        await textOf(served, path, as('ada'))
      }
      await expect.poll(lines, { timeout: 9_000 }).toHaveLength(1)
      expect(lines()[0]).toContain('/outside exports dynamic = ')
      expect(lines()[0]).toContain('it uses cookies() outside of Suspense')
      // React must not warn about the framework's own content, because the author of an app
      // couldn't do anything about it.
      expect(served.app.logs()).not.toMatch(/unique "key"|Check the render method/)
    })
  })

  describe.runIf(isBuilt)('its shell', () => {
    const rendered = async () => textIn(await textOf(served, '/shop'), 'rendered')
    const stateOf = async (path: string) => (await served.fetch(path)).headers.get('waymark-cache')

    test('comes from the build, for everybody', async () => {
      const one = await rendered()
      const two = await rendered()
      expect(one).toMatch(/^rendered \d+ 1$/)
      expect(two).toBe(one)
    })

    test('contains everything that does not read the request', async () => {
      const html = await textOf(served, '/shop')
      const shell = html.slice(0, html.indexOf('<script nonce', html.indexOf('<body')))
      expect(textIn(shell, 'soon')).toBe('soon')
      expect(textIn(shell, 'report')).toBe('report')
      expect(shell).not.toContain('never seen')
    })

    test('has a new nonce in each response', async () => {
      const { page, complaints } = await openPage(served.app)
      await page.goto('/shop')
      await page.getByText('cart of').waitFor()
      expect(complaints).toEqual([])
      const nonces = await Promise.all(
        [1, 2].map(async () => {
          const response = await served.fetch('/shop')
          const policy = String(response.headers.get('content-security-policy'))
          const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? []
          const usedNonces = new Set(
            [...(await response.text()).matchAll(/ nonce="([^"]*)"/g)].map(([, each]) => each),
          )
          expect([...usedNonces]).toEqual([nonce])
          return nonce
        }),
      )
      expect(nonces[0]).not.toBe(nonces[1])
    })

    test('is invalidated by tag and by path, and regenerated in the background', async () => {
      for (const ending of [{ tag: 'prices' }, { path: '/shop' }]) {
        const before = await rendered()
        const prices = textIn(await textOf(served, '/shop'), 'prices')
        await setState(served, ending)
        await expect.poll(() => rendered()).not.toBe(before)
        await expect.poll(() => stateOf('/shop')).toBe('hit')
        if (ending.tag) expect(textIn(await textOf(served, '/shop'), 'prices')).not.toBe(prices)
      }
    })

    test('is rendered after the first request if the build does not know the params', async () => {
      const init = { headers: { 'x-test': 'first' } }
      expect(textIn(await textOf(served, '/items/1', init), 'agent')).toBe('first')
      await expect.poll(() => stateOf('/items/1')).toBe('hit')
      expect(textIn(await textOf(served, '/items/1', init), 'agent')).toBe('first')
      expect(await textOf(served, '/items/2')).toContain('item 2')
    })

    test('is replaced by a page whose shape has changed', async () => {
      expect(await stateOf('/moved')).toBe('hit')
      await setState(served, { parts: 2 })
      const { page } = await openPage(served.app)
      await page.context().addCookies([{ name: 'name', value: 'ada', url: served.app.origin }])
      await page.goto('/moved')
      await page.getByRole('heading', { name: 'parts 2' }).waitFor()
      expect(await page.locator('.part').allTextContents()).toEqual(['ada', 'ada'])
      expect(await stateOf('/moved')).toBeNull()
    })

    test('does not exist if something outside of Suspense reads the request', async () => {
      const response = await served.fetch('/outside', as('ada'))
      expect(response.headers.get('waymark-cache')).toBeNull()
      expect(await response.text()).toContain('<h1>ada</h1>')
      expect(await textOf(served, '/outside', as('eve'))).toContain('<h1>eve</h1>')
    })

    describe('is not used for', () => {
      test('a crawler, which gets the true status', async () => {
        const headers = { 'user-agent': 'Googlebot/2.1' }
        const response = await served.fetch('/loading', { headers })
        expect(response.status).toBe(404)
        expect((await served.fetch('/loading')).status).toBe(200)
      })

      test('page data, which is rendered for its request', async () => {
        const response = await served.fetch('/_waymark/data/shop.rsc', as('ada'))
        expect(response.headers.get('cache-control')).toBe('private, no-store')
        expect(await response.text()).toContain('cart of ada')
      })
    })
  })
})
