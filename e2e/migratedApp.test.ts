import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'
import { documentId, heading, pathOf, visit } from './harness/visit.ts'

// Tests code from App Router apps that other people wrote, as it runs on the first day after a
// move.
describeModes('an app moved from the App Router', { app: 'migratedApp' }, (served) => {
  test('links with a slash at the end lead to their page', async () => {
    const { page, first } = await visit(served.app, '/')
    const failed: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(response.url())
    })
    const link = page.getByRole('link', { name: 'Slashed', exact: true })
    await link.hover()
    await link.click()
    await heading(page, 'Slashed').waitFor()
    expect(pathOf(page)).toBe('/slashed')
    expect(await page.locator('output').textContent()).toBe('/slashed')
    await page.getByRole('link', { name: 'Slashed with a query' }).click()
    await expect.poll(() => page.url()).toBe(served.url('/slashed?a=1#end'))
    await page.getByRole('button', { name: 'To Far' }).click()
    await heading(page, 'Far').waitFor()
    expect(pathOf(page)).toBe('/far')
    expect(await documentId(page)).toBe(first)
    expect(failed).toEqual([])
  })

  test('a route with only slots has a page', async () => {
    const { page, first } = await visit(served.app, '/')
    await page.getByRole('link', { name: 'Slots' }).click()
    await heading(page, 'Slots only').waitFor()
    expect(await documentId(page)).toBe(first)
    const response = await page.goto('/o')
    expect(response?.status()).toBe(200)
    expect(await page.locator('#a').textContent()).toBe('Part a')
    expect(await page.locator('#b').textContent()).toBe('')
    expect(await page.locator('#children').textContent()).toBe('')
    expect((await served.fetch('/kids')).status).toBe(200)
  })

  test('options of a client file, and files in odd places, do no harm', async () => {
    for (const path of ['/options', '/shop']) expect((await served.fetch(path)).status).toBe(200)
    expect((await served.fetch('/shop/robots.txt')).status).toBe(404)
    expect((await served.fetch('/robots.txt')).status).toBe(404)
  })

  test('a shared file may import server code behind a check where it runs', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/shared')
    await hydrated(page)
    await heading(page, 'Hello Bo of a server with 0 cookies').waitFor()
    await expect.poll(() => page.locator('output').textContent()).toBe('Hello Ann of a browser')
    expectQuietConsole()
  })

  test('a page behind a modal is refreshed with it', async () => {
    const { page } = await visit(served.app, '/list?page=2')
    await page.getByRole('link', { name: 'Open' }).click()
    await heading(page, 'Item in a modal').waitFor()
    const count = (id: string) => page.locator(`#${id}`).textContent().then(Number)
    for (const name of ['Refresh', 'Revalidate']) {
      const before = { list: await count('list'), item: await count('item') }
      await page.getByRole('button', { name }).click()
      await expect.poll(() => count('item')).toBeGreaterThan(before.item)
      await expect.poll(() => count('list')).toBeGreaterThan(before.list)
      await heading(page, 'List 2').waitFor()
      expect(pathOf(page)).toBe('/list/item/1')
    }
  })

  test.each(['/self', '/self?to=%2Fself%2F'])(
    'an action at %s that redirects to the same URL ends its state',
    async (path) => {
      const { page } = await visit(served.app, path)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('#problem').waitFor()
      await page.getByRole('textbox').fill('Ann')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('#problem').waitFor({ state: 'detached' })
      expect(await page.getByRole('textbox').inputValue()).toBe('')
      expect(pathOf(page)).toBe('/self')
    },
  )

  test.each(['/bound', '/outer'])(
    'a form at %s with an action that is bound outside of its component has its state without scripts',
    async (path) => {
      const { page } = await openPage(served.app, { javaScriptEnabled: false })
      await page.goto(path)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('#problem', { hasText: 'Write a name.' }).waitFor()
    },
  )

  // React waits for the promise of a bound argument. If a component bound the action while
  // rendering, each render would bind it again, and React would wait forever.
  test.each(['/self', '/passed'])(
    'a form at %s with an action that a client component binds is shown without its state',
    async (path) => {
      const { page } = await openPage(served.app, { javaScriptEnabled: false })
      await page.goto(path)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Save' }).waitFor()
      await expect.poll(() => page.locator('#problem').count()).toBe(0)
      expect((await served.fetch('/')).status).toBe(200)
      await page.getByRole('textbox').fill('A name')
      const answer = page.waitForResponse((response) => response.request().method() === 'POST')
      await page.getByRole('button', { name: 'Save' }).click()
      expect((await answer).status()).toBe(303)
    },
  )

  test('a metadata function that fails together with notFound() is a 404', async () => {
    expect((await served.fetch('/described')).status).toBe(404)
  })

  test('going back to a deleted page restores the scroll position', async () => {
    const { page } = await visit(served.app, '/far')
    await page.evaluate(() => window.scrollTo(0, 1500))
    await page.evaluate(() => window.router.push('/list'))
    await heading(page, 'List 1').waitFor()
    await page.goBack()
    await heading(page, 'Far').waitFor()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(1500)
  })

  test.runIf(served.mode === 'production')('browsers get no code of the server', () => {
    const folder = join(served.app.root, '.waymark/client/_waymark/assets')
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
    const texts = scripts.map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(texts.filter((text) => text.includes('AsyncLocalStorage'))).toEqual([])
    expect(texts.some((text) => text.includes('waymark/server works only on the server'))).toBe(
      true,
    )
  })
})
