import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { heading, pathOf } from './harness/visit.ts'

describeModes('what readers find on the site', { app: 'site', modes: ['production'] }, (served) => {
  test('search: a key opens it, arrows and Enter lead to a section', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await page.goto('/guide/doctor', { waitUntil: 'networkidle' })
    expect(requested).not.toContain('/search.json')
    await page.keyboard.press('/')
    const dialog = page.getByRole('dialog', { name: 'Search' })
    await dialog.getByRole('searchbox', { name: /^Search/ }).fill('idempotency keys')
    await dialog.getByRole('status').filter({ hasText: 'result' }).waitFor()
    await page.keyboard.press('ArrowDown')
    const href = await page.evaluate(() => document.activeElement?.getAttribute('href'))
    expect(href).toMatch(/^\/guide\/[\w-]+/)
    await page.keyboard.press('Enter')
    await expect.poll(() => pathOf(page)).toBe(href)
    expect(await dialog.count()).toBe(0)
    expectQuietConsole()
  })

  test('search: Ctrl-K and the link open it, Escape gives the focus back', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/')
    const dialog = page.getByRole('dialog', { name: 'Search' })
    const link = page.getByRole('link', { name: 'Search' })
    await page.waitForLoadState('networkidle')
    await link.click()
    await dialog.getByRole('searchbox').fill('<b>zzz')
    await dialog.getByText('Nothing found.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Control+k')
    await dialog.waitFor()
  })

  test('without its index, search says so; without scripts, it is a link', async () => {
    const { page } = await openPage(served.app)
    await page.route('/search.json', (route) => route.abort())
    await page.goto('/', { waitUntil: 'networkidle' })
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('cache')
    await page.getByText('The index could not be loaded').waitFor()
    const plain = await openPage(served.app, { javaScriptEnabled: false })
    await plain.page.goto('/')
    await plain.page.getByRole('link', { name: 'Search' }).click()
    await heading(plain.page, 'Guide').waitFor()
  })

  test('code is copied by its button', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/guide/testing')
    const figure = page.locator('figure').filter({ hasText: 'npm install --save-dev vitest' })
    await (await hydratedElement(figure.getByRole('button', { name: 'Copy' }))).click()
    await figure.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.trim()).toBe('npm install --save-dev vitest')
    expectQuietConsole()
  })

  test('each page of the guide has a Markdown twin, and names it', async () => {
    const html = await (await served.fetch('/guide/actions')).text()
    const [link = ''] = html.match(/<link[^>]*text\/markdown[^>]*>/) ?? []
    expect(link).toContain('rel="alternate"')
    expect(link).toContain('/guide/actions.md')
    const twin = await served.fetch('/guide/actions.md')
    expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await twin.text()).toMatch(/^# Server actions\n/)
    const list = await (await served.fetch('/llms.txt')).text()
    expect(list).toMatch(/\/guide\/actions\.md\): \w/)
    expect(await (await served.fetch('/llms-full.txt')).text()).toContain('# Server actions\n')
  })

  test('a page of the guide that is not there is still a 404 with its screen', async () => {
    const response = await served.fetch('/guide/nonsense', { headers: { accept: 'text/html' } })
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('text/html')
  })

  test('the reference has every export with its docstring; the changelog is there', async () => {
    const html = await (await served.fetch('/reference/server')).text()
    for (const name of ['cacheLife', 'cookies', 'revalidateTag', 'ServerOptions']) {
      expect(html).toContain(`id="${name.toLowerCase()}"`)
    }
    expect(await (await served.fetch('/reference/vite')).text()).toContain('Default:')
    expect(await (await served.fetch('/changelog')).text()).toContain('What an app can notice')
  })
})
