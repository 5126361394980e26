import { expect, test } from 'vitest'
import { describeApp, describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { hydratedElement, openPage } from './harness/page.ts'

describeModes('documents', { app: 'rendering' }, (served) => {
  test('an async page streams its fallbacks first, then their content', async () => {
    await served.fetch('/suspense?ms=0')
    const response = await served.fetch('/suspense?ms=400')
    const texts: string[] = []
    const decoder = new TextDecoder()
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
      texts.push(decoder.decode(piece, { stream: true }))
    }
    expect(texts[0]).toContain('first is coming')
    expect(texts[0]).not.toContain('<p class="late">')
    expect(texts.join('')).toContain('first came: übergroß 漢字')
    expect(texts.join('').trimEnd()).toMatch(/<\/body><\/html>$/)
  })

  test('streamed parts arrive in the browser and hydrate quietly', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/suspense?ms=300')
    await expect
      .poll(() => page.locator('.late').allTextContents())
      .toEqual(['first came: übergroß 漢字', 'second came </script><!-- -->'])
    expectQuietConsole()
  })

  test('a loading file shows while its page is late', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/slow', { waitUntil: 'commit' })
    await page.getByText('slow is loading').waitFor()
    await page.getByText('Slow arrived').waitFor()
  })

  test('context, refs, CSS modules and promises reach client components', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/client')
    await expect.poll(() => page.locator('#answer').textContent()).toBe('a promise from the server')
    expect(await page.locator('#depth').textContent()).toBe('depth one')
    await page.locator('input[data-measured=true]').waitFor()
    const border = await page
      .locator('section')
      .evaluate((section) => getComputedStyle(section).borderTopColor)
    expect(border).toBe('rgb(1, 2, 3)')
    expectQuietConsole()
  })

  test('styles are links in the head, before the body', async () => {
    for (const path of ['/', '/client']) {
      const html = await (await served.fetch(path)).text()
      const head = html.slice(0, html.indexOf('<body'))
      expect(head).toMatch(/<link rel="stylesheet"/)
    }
  })

  test('titles use the template above, and metadata functions get params', async () => {
    const html = await (await served.fetch('/metadata/post/h%C3%A9llo%20w')).text()
    expect(html).toContain('<title>Post héllo w | Rendering</title>')
    expect(html).toContain('<link rel="canonical" href="https://example.com/héllo w"')
    expect(html).toContain('property="og:title"')
    expect(html).toContain('name="description" content="Every way a page comes about"')
    expect(html).toContain('<h1>héllo w</h1>')
  })
})

describeApp('React’s cache()', { app: 'rendering' }, (served) => {
  test.each(['static', 'dynamic', 'other'])('%s is shared by metadata and page', async (id) => {
    const html = await (await served.fetch(`/metadata/once/${id}`)).text()
    const title = /<title>Load (\d+) \|/.exec(html)?.[1]
    const heading = /<h1>Load (?:<!-- -->)?(\d+)/.exec(html)?.[1]
    expect([title, heading]).toEqual([expect.stringMatching(/^\d+$/), title])
    const data = await (await served.fetch(`/_waymark/data/metadata/once/${id}.rsc`)).text()
    expect(data).toContain('Load ')
    const loads = [...data.matchAll(/Load (\d+)|"Load ",(\d+)/g)].map(([, a, b]) => a ?? b)
    expect(new Set(loads).size).toBe(1)
  })

  test('is shared by a cached function and the components that it renders', async () => {
    const html = await (await served.fetch('/metadata/cached')).text()
    const [, first, second] = /data-loads="(\d+) (\d+)"/.exec(html) ?? []
    const part = /data-part="(\d+)"/.exec(html)?.[1]
    expect([first, second, part]).toEqual([expect.stringMatching(/^\d+$/), first, first])
  })
})

describeModes('JSX in .js files', { app: 'rendering' }, (served) => {
  test('renders and hydrates', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/plainjs')
    await page.getByRole('heading', { name: 'Plain JavaScript' }).waitFor()
    await (await hydratedElement(page.locator('#plain'))).click()
    await expect.poll(() => page.locator('#plain').textContent()).toBe('1')
    expectQuietConsole()
  })
})

describeApp('statuses', { app: 'rendering' }, (served) => {
  test('an unmatched URL is a 404 with the app’s own screen in the HTML', async () => {
    const response = await served.fetch('/no/such/page')
    expect(response.status).toBe(404)
    const html = await response.text()
    expect(html).toContain('<h1>Nothing is here</h1>')
    expect(html).toContain('noindex')
  })

  test('notFound() in a page is a 404 with the screen in the HTML and in page data', async () => {
    const document = await served.fetch('/gone')
    expect(document.status).toBe(404)
    expect(await document.text()).toContain('<h1>Nothing is here</h1>')
    const data = await served.fetch('/_waymark/data/gone.rsc')
    expect(data.status).toBe(404)
    expect(data.headers.get('content-type')).toContain('text/x-component')
    expect(await data.text()).toContain('Nothing is here')
  })

  test('redirect() in a page is a redirect, from page data to page data', async () => {
    const document = await served.fetch('/moved')
    expect(document.status).toBe(307)
    expect(document.headers.get('location')).toBe('/shared/a?from=moved')
    const data = await served.fetch('/_waymark/data/moved.rsc')
    expect(data.status).toBe(307)
    expect(data.headers.get('location')).toBe('/_waymark/data/shared/a.rsc?from=moved')
  })

  test('a page that throws is a 500 with a digest and without its message', async () => {
    const response = await served.fetch('/broken')
    expect(response.status).toBe(500)
    const digest = response.headers.get('x-waymark-digest') ?? 'none'
    const html = await response.text()
    expect(html).toContain(digest)
    // Check this in production only, because the dev server repeats its log in the browser's
    // console, and shows errors in an overlay.
    if (served.mode === 'production') expect(html).not.toContain('secret of the server')
    await expect.poll(served.app.logs).toContain(digest)
    await expect.poll(served.app.logs).toContain('secret of the server')
    expect((await served.fetch('/')).status).toBe(200)
  })

  test('an error file is in the HTML, and its retry fetches the page again', async () => {
    const { page } = await openPage(served.app)
    const response = await page.goto('/caught')
    expect(response?.status()).toBe(500)
    expect(await response?.text()).toContain('<h1>Caught</h1>')
    expect(await page.locator('#digest').textContent()).toBe(
      response?.headers()['x-waymark-digest'],
    )
    const retry = await hydratedElement(page.getByRole('button', { name: 'Retry' }))
    // Dispatch the event, because in development the overlay with the same error covers the page.
    await retry.dispatchEvent('click')
    await page.getByText('It recovered').waitFor()
  })

  test('unknown methods are 405 with an Allow header', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const response = await served.fetch('/', { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toContain('GET, HEAD')
    }
    const head = await served.fetch('/', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})

describeApp('navigations', { app: 'rendering' }, (served) => {
  test('a shared layout keeps its state, a template does not', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/shared/a')
    await (await hydratedElement(page.locator('#count'))).click()
    await expect.poll(() => page.locator('#count').textContent()).toBe('1')
    await page.getByRole('link', { name: 'B', exact: true }).click()
    await page.getByRole('heading', { name: 'Page b' }).waitFor()
    expect(await page.locator('#count').textContent()).toBe('1')
    expect(await page.title()).toBe('Page b | Rendering')
    expect(new URL(page.url()).pathname).toBe('/shared/b')

    await page.goto('/remount/1')
    await (await hydratedElement(page.locator('#count'))).click()
    await expect.poll(() => page.locator('#count').textContent()).toBe('1')
    await page.getByRole('link', { name: 'Next item' }).click()
    await page.getByRole('heading', { name: 'Item 2' }).waitFor()
    expect(await page.locator('#count').textContent()).toBe('0')
    expectQuietConsole()
  })

  test('fallbacks and redirects are followed without leaving the document', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/')
    await hydrated(page)
    await page.evaluate(() => Object.assign(window, { kept: true }))
    await page.getByRole('link', { name: 'Gone' }).click()
    await page.getByRole('heading', { name: 'Nothing is here' }).waitFor()
    await page.getByRole('link', { name: 'Moved' }).click()
    await page.getByRole('heading', { name: 'Page a {"from":"moved"}' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/shared/a')
    expect(await page.evaluate(() => 'kept' in window)).toBe(true)
  })

  test('slots show their own page, or their default', async () => {
    const dash = await (await served.fetch('/dash')).text()
    expect(dash).toContain('side of dash')
    const more = await (await served.fetch('/dash/more')).text()
    expect(more).toContain('<h1>More</h1>')
    expect(more).toContain('default side')
  })
})
