import { expect, test } from 'vitest'
import { describeApp, describeModes } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'

const refers = /<noscript><meta http-equiv="refresh"/
const whole = 'waymark-whole=1'

describeApp('a page that streams, without scripts', { app: 'rendering' }, (served) => {
  const pages = [
    ['/slow', 'Slow arrived', 'slow is loading'],
    ['/suspense?ms=1500&"<&>', 'first came: übergroß 漢字', 'first is coming'],
  ] as const
  // In development, test only one page, because the browser does the same in both modes.
  test.each(pages.slice(0, served.mode === 'dev' ? 1 : 2))(
    '%s ends with its content',
    async (path, content, fallback) => {
      const { page } = await openPage(served.app, { javaScriptEnabled: false })
      await page.goto(path)
      await page.getByText(content).waitFor()
      expect(await page.getByText(fallback).count()).toBe(0)
      expect(new URL(page.url()).search).toMatch(new RegExp(`[?&]${whole}$`))
      expect(await page.content()).not.toMatch(refers)
    },
  )

  test('typed text stays: the document that is replaced accepts no text', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/suspense?ms=1500', { waitUntil: 'commit' })
    await page.getByText('first is coming').waitFor()
    const name = page.getByLabel('Name')
    expect(await name.isVisible()).toBe(false)
    await name.fill('Ada')
    await page.getByText('first came').waitFor()
    expect(await name.inputValue()).toBe('Ada')
  })

  test('the complete document is for the same page', async () => {
    const response = await served.fetch(`/suspense?ms=10&b=2&${whole}`)
    const html = await response.text()
    expect(html).toContain('"search":"?ms=10&b=2"')
    expect(response.headers.get('link')).toBe('</suspense?ms=10&b=2>; rel="canonical"')
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect((await served.fetch(`/gone?${whole}`)).status).toBe(404)
  })

  test('nobody with scripts is redirected there, and visitors without scripts keep the URL of the page', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    const documents: string[] = []
    page.on('request', (request) => request.isNavigationRequest() && documents.push(request.url()))
    await page.goto('/suspense')
    await page.getByText('first came').waitFor()
    expect(documents.length).toBe(1)
    await page.goto(`/suspense?ms=10&${whole}#end`)
    await page.getByText('first came').waitFor()
    expect(page.url()).toBe(served.url('/suspense?ms=10#end'))
    expectQuietConsole()
  })

  test('no redirect loop occurs if a proxy removes queries', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    const documents: string[] = []
    page.on('request', (request) => request.isNavigationRequest() && documents.push(request.url()))
    await page.route(new RegExp(whole), (route) =>
      route.fulfill({ status: 302, headers: { location: '/suspense?ms=1500' } }),
    )
    await page.goto('/suspense?ms=1500')
    await expect.poll(() => documents.length).toBe(3)
    await page.getByText('first is coming').waitFor()
    await page.waitForLoadState('load')
    expect(await page.locator('noscript').count()).toBe(0)
  })

  test('a complete document contains no redirect', async () => {
    for (const path of ['/', '/shared/a']) {
      expect(await (await served.fetch(path)).text()).not.toMatch(refers)
    }
  })
})

describeModes('a page that never ends', { app: 'hanging', modes: ['production'] }, (served) => {
  test('is waited for until the deadline, and contains no redirect then', async () => {
    const begin = async (path: string) => {
      const leave = new AbortController()
      const { body } = await served.fetch(path, { signal: leave.signal })
      const piece = await body?.getReader().read()
      leave.abort()
      return Buffer.from(piece?.value ?? []).toString()
    }
    expect(await begin('/in-part')).toMatch(refers)
    const waited = await begin(`/in-part?${whole}`)
    expect(waited).toContain('Soon')
    expect(waited).not.toMatch(refers)
  })
})
