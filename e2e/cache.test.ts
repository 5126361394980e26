import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

describeModes('cached functions', { app: 'cache' }, (served) => {
  /** Returns the text of an element in the HTML of a page. */
  async function textAt(path: string, id: string, init?: RequestInit): Promise<string> {
    const html = await (await served.fetch(path, init)).text()
    const match = new RegExp(`id="${id}">(.*?)</`).exec(html)
    if (!match?.[1]) throw new Error(`${path} holds no #${id}: ${html.slice(0, 3_000)}`)
    return match[1].replaceAll('<!-- -->', '')
  }

  const read = async (post: string) => (await served.fetch(`/read?post=${post}`)).json()

  const invalidate = (tag: string, mode: 'update' | 'revalidate' | 'path') =>
    served.fetch('/invalidate', { method: 'POST', body: JSON.stringify({ tag, mode }) })

  test('cache every result that React can serialize', async () => {
    const first = await textAt('/functions', 'post')
    expect(first).toMatch(/^\d+ 2026-01-02T00:00:00.000Z 1 later$/)
    expect(await textAt('/functions', 'post')).toBe(first)
    expect(await textAt('/functions', 'same')).toBe('true')
    const other = await textAt('/functions', 'other')
    expect(other).not.toBe(first.split(' ')[0])
    expect(await textAt('/functions', 'other')).toBe(other)
    expect(await textAt('/functions', 'file')).toBe(await textAt('/functions', 'file'))
  })

  test('are refreshed or recomputed by a tag', async () => {
    const first = await read('tagged')
    expect(await read('tagged')).toBe(first)
    await invalidate('post:tagged', 'revalidate')
    expect(await read('tagged')).toBe(first)
    await expect.poll(() => read('tagged')).toBeGreaterThan(first)
    const second = await read('tagged')
    await invalidate('posts', 'update')
    expect(await read('tagged')).toBeGreaterThan(second)
  })

  test('are recomputed for a path that was invalidated, and then for all paths', async () => {
    const first = await textAt('/paths/a', 'post')
    await invalidate('/paths/b', 'path')
    expect(await textAt('/paths/a', 'post')).toBe(first)
    const second = await textAt('/paths/b', 'post')
    expect(Number(second)).toBeGreaterThan(Number(first))
    expect(await textAt('/paths/a', 'post')).toBe(second)
    await invalidate('/paths/[name]', 'path')
    expect(Number(await textAt('/paths/a', 'post'))).toBeGreaterThan(Number(second))
  })

  test('are computed once for many requests', async () => {
    const runs = await Promise.all(
      Array.from({ length: 50 }, async () => (await served.fetch('/read')).json()),
    )
    expect(new Set(runs).size).toBe(1)
  })

  test('cache a component, but not its children', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/components')
    const title = await page.locator('#title').textContent()
    const child = await page.locator('#child').textContent()
    const button = page.locator('button')
    await hydrated(page)
    await button.click()
    await expect.poll(() => button.textContent()).toBe('Pressed 1')
    await page.goto('/components')
    expect(await page.locator('#title').textContent()).toBe(title)
    expect(await page.locator('#child').textContent()).not.toBe(child)
    expectQuietConsole()
  })

  test('may not read the request', async () => {
    expect(await textAt('/request?q=1', 'cookies')).toContain(
      'cookies() was used in a cached function',
    )
    expect(await textAt('/request?q=1', 'params')).toContain('searchParams was used in a cached')
  })

  test.runIf(served.mode === 'dev')('are recomputed after a change of their code', async () => {
    const before = await textAt('/functions', 'file')
    expect(await textAt('/functions', 'file')).toBe(before)
    served.app.edit('app/_lib/file.ts', (text) => text.replace(/`(?=\$\{name\} )/, '`changed '))
    await expect.poll(() => textAt('/functions', 'file')).toMatch(/^changed x/)
  })

  test('do not cache errors', async () => {
    const failing = { headers: { 'x-fail': 'yes' } }
    expect(await textAt('/failing', 'source', failing)).toBe('no source')
    expect(await textAt('/failing', 'always')).toBe('no source')
    expect(await textAt('/failing', 'source')).toMatch(/^b \d+$/)
    expect(await textAt('/failing', 'source', failing)).toMatch(/^b \d+$/)
  })
})
