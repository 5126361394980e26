import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
// Declares the values that the fixtures put on `window` for the tests.
import type {} from './fixtures/guards/app/_ui/tools.tsx'
import { describeApp, type Served } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'
import { heading } from './harness/visit.ts'

/** Opens a page, and waits until the page's router runs. */
async function open(served: Served, path: string) {
  const opened = await openPage(served.app)
  await opened.page.goto(path)
  await opened.page.waitForFunction(() => 'router' in window)
  return { ...opened, first: await documentId(opened.page) }
}

const documentId = (page: Page) => page.evaluate(() => window.documentId)
const link = (page: Page, path: string) =>
  page.getByRole('link', { name: path, exact: true }).click()

/** Fetches page data like a browser that has mounted a page's layouts. */
async function fetchData(served: Served, path: string, headers: Record<string, string>) {
  const signal = AbortSignal.timeout(5_000)
  const response = await served.fetch(`/_waymark/data${path}.rsc`, { headers, signal })
  return { status: response.status, text: await response.text() }
}

const mounted = { 'waymark-mounted': '/,/client,/using' }

describeApp('below a layout that is a client component', { app: 'guards' }, (served) => {
  test('navigations arrive, by link and from code, and the layout stays', async () => {
    const { page, first, expectQuietConsole } = await open(served, '/client/one')
    await page.locator('#count').click()
    await link(page, '/client/two')
    await heading(page, 'client two').waitFor()
    expect(await page.title()).toBe('client two | In front')
    await page.evaluate(() => window.router.push('/client/one'))
    await heading(page, 'client one').waitFor()
    expect(await page.locator('#count').textContent()).toBe('1')
    expect(await documentId(page)).toBe(first)
    expectQuietConsole()
  })

  test.each([mounted, { ...mounted, 'waymark-final-status': '1' }])(
    'page data requested with %o completes',
    async (headers) => {
      const { status, text } = await fetchData(served, '/client/two', headers)
      expect(status).toBe(200)
      expect(text).toContain('client two')
      expect(text).not.toContain('ClientLayout')
    },
  )
})

describeApp('below a root layout that is a client component', { app: 'clientRoot' }, (served) => {
  test('navigations arrive, by link and from code', async () => {
    const { page, first, expectQuietConsole } = await open(served, '/one')
    await link(page, '/two')
    await heading(page, 'root two').waitFor()
    expect(await page.title()).toBe('root two')
    await page.evaluate(() => window.router.push('/one'))
    await heading(page, 'root one').waitFor()
    expect(await documentId(page)).toBe(first)
    expectQuietConsole()
  })
})

describeApp('below a layout that calls use()', { app: 'guards' }, (served) => {
  test('navigations arrive, and the layout stays', async () => {
    const { page, first, expectQuietConsole } = await open(served, '/using/one')
    await link(page, '/using/two')
    await heading(page, 'using two').waitFor()
    await page.evaluate(() => window.router.push('/using/one'))
    await heading(page, 'using one').waitFor()
    expect(await page.locator('#name').textContent()).toBe('nobody')
    expect(await documentId(page)).toBe(first)
    expectQuietConsole()
  })

  test.each([mounted, { ...mounted, 'waymark-final-status': '1' }])(
    'page data requested with %o gets a response',
    async (headers) => {
      const { status, text } = await fetchData(served, '/using/two', headers)
      expect(status).toBe(200)
      expect(text).toContain('using two')
      expect(text).not.toContain('nobody')
    },
  )
})
