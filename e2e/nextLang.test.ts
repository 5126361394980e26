import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { hydratedElement, openPage } from './harness/page.ts'

describeApp('an App Router app whose root layout has a param', { app: 'nextLang' }, (served) => {
  const read = async (path: string) => {
    const response = await served.fetch(path, { redirect: 'follow' })
    const html = (await response.text()).replaceAll('<!-- -->', '')
    return [
      response.status,
      /<html lang="(.*?)"/.exec(html)?.[1],
      /<h1>(.*?)<\/h1>/.exec(html)?.[1],
    ]
  }

  test.each([
    ['/en', 200, 'en', 'Home en'],
    ['/de/about', 200, 'de', 'About de'],
    ['/de/docs/a/b', 200, 'de', 'Docs de a/b'],
    ['/de/nowhere', 404, 'de', 'Nothing de'],
    ['/de/cached', 200, 'de', 'rootParams() was used in a cached function, '],
  ])('%s reads it', async (path, ...expected) => {
    expect(await read(path)).toEqual(expected)
  })

  test('metadata, route handlers and actions read it, too', async () => {
    expect(await (await served.fetch('/de/api/')).json()).toEqual({ lang: 'de' })
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/de/about')
    await hydrated(page)
    expect(await page.title()).toBe('Title de')
    await (await hydratedElement(page.getByRole('button', { name: 'Say' }))).click()
    await page.getByText('said de').waitFor()
    await page.goto('/en/about')
    await hydrated(page)
    await (await hydratedElement(page.getByRole('button', { name: 'Docs' }))).click()
    await page.getByRole('heading', { name: 'Docs de a/b' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    expectQuietConsole()
  })

  test.each([
    ['/en', '/en/'],
    ['/en/about?a=1', '/en/about/?a=1'],
    ['/en//about', '/en/about/'],
    ['//evil.example', '/evil.example'],
    ['//evil', '/evil/'],
    ['/plain.txt/', '/plain.txt'],
    ['/old/', '/en/about/'],
    ['/en/docs/old/', '/en/about/'],
    ['/en/api', '/en/api/'],
  ])('trailingSlash: %s leads to %s', async (path, expected) => {
    const response = await served.fetch(path)
    expect([301, 307, 308]).toContain(response.status)
    expect(response.headers.get('location')).toBe(expected)
  })

  test.each([
    ['/en/', 200],
    ['/en/about/?a=1', 200],
    ['/plain.txt', 200],
    ['/en/nowhere/', 404],
    ['/en/shown/', 200],
  ])('trailingSlash: %s is %d', async (path, status) => {
    expect((await served.fetch(path)).status).toBe(status)
  })

  test.each([
    ['/robots.txt', 'text/plain; charset=utf-8', 'Disallow: /private'],
    ['/sitemap.xml', 'application/xml', '<loc>https://acme.test/en/</loc>'],
    ['/manifest.json', 'application/manifest+json', '"Acme"'],
    ['/favicon.ico', 'image/x-icon', 'PNG'],
  ])('%s uses the app folder', async (path, type, text) => {
    const response = await served.fetch(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(await response.text()).toContain(text)
  })

  test('icons and the manifest are linked', async () => {
    const html = await (await served.fetch('/en/')).text()
    for (const rel of ['icon', 'apple-touch-icon', 'manifest']) {
      const links = html.match(/<link[^>]*>/g)?.filter((tag) => tag.includes(`rel="${rel}"`)) ?? []
      expect(links.length, rel).toBeGreaterThan(0)
      for (const link of links) {
        const [, href = ''] = /href="([^"]+)"/.exec(link) ?? []
        expect((await served.fetch(new URL(href, served.app.origin).pathname)).status).toBe(200)
      }
    }
  })

  test('trailingSlash: the proxy sees it, and redirects without a loop', async () => {
    expect((await served.fetch('/de/cached/')).headers.get('x-seen')).toBe('/de/cached/')
    expect(await read('/en/guarded')).toEqual([200, 'en', 'About en'])
  })

  test('trailingSlash: links, page data, router and metadata have it', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    const paths: string[] = []
    page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    await page.goto('/en/')
    await hydrated(page)
    await page.evaluate(() => Object.assign(window, { mark: 1 }))
    const about = page.getByRole('link', { name: 'About' })
    expect(await about.getAttribute('href')).toBe('/en/about/?a=1#b')
    await about.click()
    await page.getByRole('heading', { name: 'About en' }).waitFor()
    expect(await page.locator('#path').textContent()).toBe('/en/about/')
    expect(new URL(page.url()).pathname).toBe('/en/about/')
    const canonical = await page.locator('link[rel=canonical]').getAttribute('href')
    expect(new URL(canonical ?? '', served.app.origin).pathname).toBe('/en/about/')
    // Add an anchor as a person would write it, without the Link component.
    await page.locator('#path').evaluate((place) => {
      place.innerHTML = '<a href="/en">By hand</a>'
    })
    await page.getByRole('link', { name: 'By hand' }).click()
    await page.getByRole('heading', { name: 'Home en' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/en/')
    await page.goBack()
    await page.getByRole('heading', { name: 'About en' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/en/about/')
    expect(await page.evaluate(() => (window as { mark?: number }).mark)).toBe(1)
    expect(paths.filter((path) => path.startsWith('/_waymark/data') && path.endsWith('/'))).toEqual(
      [],
    )
    expectQuietConsole()
  })
})
