import { describe, expect, test } from 'vitest'
import { describeApp, type Served } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'

const logOf = async (served: Served): Promise<string[]> =>
  (await served.fetch('/api/log')).json() as Promise<string[]>

const screens = { 401: 'Who are you?', 403: 'You may not', 404: 'Nothing is here' } as const

describeApp('requests', { app: 'requests' }, (served) => {
  describe('request scope', () => {
    test('headers() and cookies() belong to the request, in document and data', async () => {
      const headers = { 'x-probe': 'übe'.normalize('NFC').slice(1), cookie: 'a=1; theme=d%C3%A4rk' }
      const html = await (await served.fetch('/scope?q=1&q=2', { headers })).text()
      expect(html).toContain('header <!-- -->be')
      expect(html).toContain('cookie <!-- -->därk')
      expect(html).toContain('{&quot;q&quot;:[&quot;1&quot;,&quot;2&quot;]}')
      const data = await served.fetch('/_waymark/data/scope.rsc?q=1&q=2', {
        headers: { ...headers, 'waymark-mounted': '/', 'waymark-from': '/visits' },
      })
      const payload = await data.text()
      expect(payload).toContain('därk')
      // The app must not see the browser's internal headers.
      expect(payload).toContain('["internal ","none"]')
    })

    test('a page with force-static sees neither, and no query', async () => {
      const headers = { 'x-probe': 'probe', cookie: 'theme=dark' }
      for (const path of ['/shared?q=1', '/_waymark/data/shared.rsc?q=1']) {
        const text = await (await served.fetch(path, { headers })).text()
        expect(text.replaceAll(/&quot;|\\"/g, '"')).toContain('[null,null,{}]')
      }
      const handled = await served.fetch('/api/shared?q=1', { headers })
      expect(await handled.json()).toEqual([null, null, null, 'http://localhost/api/shared'])
      expect((await served.fetch('/api/shared', { method: 'HEAD' })).status).toBe(200)
    })

    test('cookies are read and written in route handlers', async () => {
      const headers = { cookie: 'old=1; a=b%20c; theme=light' }
      const read = await served.fetch('/api/cookies', { headers })
      expect(await read.json()).toEqual([
        { name: 'old', value: '1' },
        { name: 'a', value: 'b c' },
        { name: 'theme', value: 'light' },
      ])
      const written = await served.fetch('/api/cookies', { method: 'POST', body: 'dark', headers })
      expect(await written.json()).toEqual([
        { name: 'a', value: 'b c' },
        { name: 'theme', value: 'dark' },
        { name: 'odd', value: 'a b;c=ü' },
      ])
      const [theme, odd, old, direct, ...others] = written.headers.getSetCookie()
      expect(theme).toMatch(/^theme=dark; .*Max-Age=60.*HttpOnly/)
      expect(odd).toMatch(/^odd=a%20b%3Bc%3D%C3%BC; /)
      expect(old).toMatch(/^old=; .*Max-Age=0/)
      expect(direct).toBe('direct=1; Path=/')
      expect(others).toEqual([])
    })

    test('a browser sends back the cookies that a route handler set', async () => {
      const { page } = await openPage(served.app)
      await page.goto('/scope')
      await page.evaluate(() => fetch('/api/cookies', { method: 'POST', body: 'dä;rk' }))
      await page.reload()
      expect(await page.locator('#cookie').textContent()).toBe('cookie dä;rk')
    })

    test("a page can't set cookies, and the log says where it is possible", async () => {
      const response = await served.fetch('/writes')
      expect(response.status).toBe(500)
      expect(response.headers.getSetCookie()).toEqual([])
      await expect.poll(served.app.logs).toContain('COOKIES_READ_ONLY')
    })

    test('after() runs once the response is sent, and its failure is only logged', async () => {
      const response = await served.fetch('/api/after?name=one')
      expect([response.status, await response.text()]).toEqual([200, 'done'])
      await expect.poll(() => served.app.logs()).toContain('after one failed')
      // The second task must still wait for its release, although the response has been read.
      expect(await logOf(served)).not.toContain('after one')
      await served.fetch('/api/after', { method: 'POST' })
      await expect.poll(() => logOf(served)).toContain('after one')
      const log = await logOf(served)
      expect(log.indexOf('answer one')).toBeLessThan(log.indexOf('after one'))
    })

    test('after() runs for pages, too', async () => {
      const html = await (await served.fetch('/visits')).text()
      const visit = /visit <!-- -->(\d+)/.exec(html)?.[1]
      await expect.poll(() => logOf(served)).toContain(`after visit ${visit}`)
    })

    test('connection() makes a page dynamic that reads nothing', async () => {
      const bodyOf = async (path: string) => (await served.fetch(path)).text()
      expect(await bodyOf('/visits')).not.toBe(await bodyOf('/visits'))
      if (served.mode === 'dev') return
      expect(await bodyOf('/still')).toBe(await bodyOf('/still'))
    })
  })

  describe('signals', () => {
    describe.each(['signals', 'inLayout', 'inMetadata'])('in /%s', (place) => {
      test.each([
        ['redirect', 307, '/scope?from=redirect'],
        ['seeOther', 303, '/scope'],
        ['elsewhere', 307, 'https://example.com/a?b=c'],
        ['permanent', 308, '/scope'],
      ])('%s is %i', async (kind, status, location) => {
        const document = await served.fetch(`/${place}/${kind}`)
        expect([document.status, document.headers.get('location')]).toEqual([status, location])
        const data = await served.fetch(`/_waymark/data/${place}/${kind}.rsc`)
        // The response to a script contains the location, because a script can't follow a redirect
        // to a different site.
        const isOtherSite = kind === 'elsewhere'
        const dataLocation = location.replace(/^\/scope/, '/_waymark/data/scope.rsc')
        expect([data.status, data.headers.get('location')]).toEqual(
          isOtherSite ? [204, null] : [status, dataLocation],
        )
      })

      test.each([
        ['unauthorized', 401],
        ['forbidden', 403],
        ['notFound', 404],
      ] as const)('%s is %i, with its screen in the HTML', async (kind, status) => {
        const document = await served.fetch(`/${place}/${kind}`)
        expect(document.status).toBe(status)
        const html = await document.text()
        expect(html).toContain(`<h1>${screens[status]}</h1>`)
        expect(html).toContain('noindex')
        const data = await served.fetch(`/_waymark/data/${place}/${kind}.rsc`)
        expect(data.status).toBe(status)
        expect(await data.text()).toContain(screens[status])
      })
    })

    // The page runs at the same time as its metadata, so a signal in metadata can't stop the page.
    test('content that a layout refuses is not in the response', async () => {
      for (const path of ['/inLayout/forbidden', '/_waymark/data/inLayout/forbidden.rsc']) {
        expect(await (await served.fetch(path)).text()).not.toContain('secret of the page')
      }
      const held = { 'waymark-mounted': await heldKeys(served, '/inLayout/none') }
      const data = await served.fetch('/_waymark/data/inLayout/forbidden.rsc', { headers: held })
      expect(data.status).toBe(403)
      expect(await data.text()).not.toContain('secret of the page')
    })

    test('pages that send the same signal to everyone have true statuses, too', async () => {
      const document = await served.fetch('/always')
      const location = 'https://example.com/always'
      expect([document.status, document.headers.get('location')]).toEqual([307, location])
      expect((await served.fetch('/_waymark/data/always.rsc')).status).toBe(204)
      const never = await served.fetch('/never')
      expect([never.status, await never.text()]).toEqual([
        403,
        expect.stringContaining('You may not'),
      ])
      expect((await served.fetch('/_waymark/data/never.rsc')).status).toBe(403)
    })

    test('links lead to screens and redirects within the document', async () => {
      const { page, expectQuietConsole } = await openPage(served.app)
      await page.goto('/scope')
      // Wait for the component whose code loads last, because a link that is clicked earlier opens
      // a document.
      await hydratedElement(page.getByText('address /scope'))
      await page.evaluate(() => Object.assign(window, { kept: true }))
      await page.getByRole('link', { name: 'Forbidden' }).click()
      await page.getByRole('heading', { name: 'You may not' }).waitFor()
      await page.getByRole('link', { name: 'Redirect' }).click()
      await page.getByText('address /scope from=redirect').waitFor()
      expect(await page.evaluate(() => 'kept' in window)).toBe(true)
      expectQuietConsole([/status of 403/])
    })

    test('a link that redirects to another site leads there', async () => {
      const { page } = await openPage(served.app)
      await page.route('https://example.com/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' }),
      )
      await page.goto('/scope')
      await hydratedElement(page.getByText('address /scope'))
      // Only wait for the request, because the browser makes it itself and never shows the test's
      // response.
      const navigation = page.waitForRequest('https://example.com/a?b=c')
      await page.getByRole('link', { name: 'Elsewhere' }).click()
      expect((await navigation).isNavigationRequest()).toBe(true)
    })
  })
})

describeApp('cookies that are too large', { app: 'requests' }, (served) => {
  /**
   * Opens a page as a visitor with more cookies than the server accepts. One of the cookies can't
   * be read by scripts.
   */
  async function visitWithCookies(path: string) {
    const { page } = await openPage(served.app)
    await page.goto(path)
    await hydratedElement(page.getByText('address /scope'))
    const value = 'x'.repeat(3500)
    const cookies = Array.from({ length: 6 }, (_, index) => ({
      name: `c${index}`,
      value,
      url: served.app.origin,
      httpOnly: index === 0,
    }))
    await page.context().addCookies(cookies)
    return page
  }

  test('lead to a screen in a document, whose button deletes them', async () => {
    const page = await visitWithCookies('/scope')
    const response = await page.goto('/scope')
    expect(response?.status()).toBe(431)
    await page.getByRole('heading', { name: "This site's cookies are too large" }).waitFor()
    await page.getByRole('button', { name: "Delete this site's cookies" }).click()
    await page.waitForURL(served.url('/'))
    expect(await page.context().cookies()).toEqual([])
    expect((await page.goto('/scope'))?.status()).toBe(200)
  })

  test('are reported and deleted by a navigation, which then arrives', async () => {
    const page = await visitWithCookies('/scope')
    await page.evaluate(() => Object.assign(window, { kept: true }))
    await page.getByRole('link', { name: 'Forbidden' }).click()
    const notice = page.locator('[data-waymark-notice]')
    await notice.getByText("this site's cookies are too large").waitFor()
    await page.getByRole('button', { name: 'Delete cookies' }).click()
    await page.getByRole('heading', { name: 'You may not' }).waitFor()
    expect(await page.context().cookies()).toEqual([])
    expect(await page.evaluate(() => 'kept' in window)).toBe(true)
  })

  test("can't be deleted by a form of another site", async () => {
    const page = await visitWithCookies('/scope')
    await page.route('http://evil.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${served.url('/_waymark/clear-cookies')}"><button>Send</button></form>`,
      }),
    )
    await page.goto('http://evil.example/')
    const responded = page.waitForResponse(served.url('/_waymark/clear-cookies'))
    await page.getByRole('button', { name: 'Send' }).click()
    expect((await responded).status()).toBe(403)
    expect(await page.context().cookies()).toHaveLength(6)
  })
})

/** Returns the keys of all segments of a page, as a browser that shows the page would send them. */
async function heldKeys(served: Served, path: string): Promise<string> {
  const payload = await (await served.fetch(`/_waymark/data${path}.rsc`)).text()
  const keys = [...payload.matchAll(/"key":"([^"]*)"/g)].map(([, key]) => key)
  return [...new Set(keys)].join(',')
}
