import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeModes, type Served } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { recordScripts } from './harness/recordScripts.ts'

/** Returns the href of every stylesheet in the head of a page, in order. */
async function stylesheetsOf(served: Served, path: string): Promise<string[]> {
  const html = await (await served.fetch(path)).text()
  const all = [...html.matchAll(/<link rel="stylesheet"[^>]*? href="([^"]*)"/g)]
  const head = html.slice(0, html.indexOf('<body'))
  expect(all.every(({ index }) => index < head.length)).toBe(true)
  return all.map(([, href = '']) => href.replaceAll('&amp;', '&'))
}

/** Returns the text of all stylesheets in the head of a page. */
async function stylesOf(served: Served, path: string): Promise<string> {
  const hrefs = await stylesheetsOf(served, path)
  const texts = hrefs.map(async (href) => {
    const response = await served.fetch(href, { headers: { accept: 'text/css' } })
    expect([href, response.headers.get('content-type')]).toEqual([
      href,
      expect.stringMatching(/^text\/css/),
    ])
    return response.text()
  })
  return (await Promise.all(texts)).join('\n')
}

const styleOf = (page: Page, selector: string, property: string): Promise<string> =>
  page
    .locator(selector)
    // Skip hidden elements, because pages that the visitor has left are cached and hidden.
    .filter({ visible: true })
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

// Each style file has its own colour. Match two notations, because a build writes colours in a
// shorter form.
const shade = (n: number) => new RegExp(`rgb\\(${n}, ${n}, ${n}\\)|#(0${n}){3}(?!\\w)`)

const isBuilt = (served: Served) => served.mode === 'production'

describeModes('assets', { app: 'assets' }, (served) => {
  describe('styles of a page that streams', () => {
    // Keep this test first, because it needs a server that has not loaded any module of the page.
    test('are in the head, with the styles of its client components', async () => {
      const styles = await stylesOf(served, '/late')
      expect(styles).toMatch(shade(1))
      expect(styles).toMatch(shade(8))
      // In development, the styles of a late part arrive only with the part itself.
      if (isBuilt(served)) expect(styles).toMatch(shade(9))
    })

    test('apply to the parts that come later', async () => {
      const { page, expectQuietConsole } = await openPage(served.app)
      await page.goto('/late')
      await page.locator('#later').waitFor()
      await expect.poll(() => styleOf(page, '#later', 'outline-color')).toBe('rgb(9, 9, 9)')
      expect(await styleOf(page, '#early', 'outline-color')).toBe('rgb(8, 8, 8)')
      expectQuietConsole()
    })
  })

  describe('styles', () => {
    test('of every kind apply before any script runs, with HTML alone', async () => {
      const { page } = await openPage(served.app, { javaScriptEnabled: false })
      await page.goto('/')
      expect(await styleOf(page, 'body', 'margin-top')).toBe('7px')
      // Tailwind, via its plugin
      expect(await styleOf(page, 'main p', 'margin-top')).toBe('13px')
      expect(await styleOf(page, 'main p', 'text-decoration-line')).toBe('underline')
      // PostCSS
      expect(await styleOf(page, '.square', 'width')).toBe('12px')
      expect(await styleOf(page, '.pictured', 'background-image')).toMatch(/logo[^"]*\.svg/)
      await page.goto('/a')
      expect(await styleOf(page, '#panel', 'outline-color')).toBe('rgb(5, 5, 5)')
      await page.goto('/b')
      // Sass
      expect(await styleOf(page, 'h1', 'color')).toBe('rgb(6, 6, 6)')
      expect(await styleOf(page, 'h1', 'background-color')).toBe('rgb(16, 6, 6)')
      expect(await styleOf(page, '#part', 'outline-color')).toBe('rgb(7, 7, 7)')
    })

    test('of a layout come before those of its content', async () => {
      const { page } = await openPage(served.app, { javaScriptEnabled: false })
      await page.goto('/')
      expect(await styleOf(page, 'h1', 'color')).toBe('rgb(2, 2, 2)')
      expect(await styleOf(page, 'h1', 'background-color')).toBe('rgb(1, 1, 1)')
      await page.goto('/a')
      expect(await styleOf(page, 'h1', 'color')).toBe('rgb(4, 4, 4)')
      expect(await styleOf(page, 'h1', 'background-color')).toBe('rgb(3, 3, 3)')
      const styles = await stylesOf(served, '/a')
      const places = [/margin:\s*7px/, shade(3), shade(4)].map((rule) => styles.search(rule))
      expect(places).not.toContain(-1)
      expect(places).toEqual(places.toSorted((a, b) => a - b))
    })

    test('are those of the route and no others', async () => {
      const [home, a, b] = await Promise.all(
        ['/', '/a', '/b'].map((path) => stylesOf(served, path)),
      )
      expect(home).toMatch(shade(2))
      for (const other of [3, 4, 5, 6, 7]) expect(home).not.toMatch(shade(other))
      for (const used of [1, 3, 4, 5]) expect(a).toMatch(shade(used))
      for (const other of [2, 6, 7]) expect(a).not.toMatch(shade(other))
      for (const used of [1, 6, 7]) expect(b).toMatch(shade(used))
      for (const other of [2, 3, 4, 5]) expect(b).not.toMatch(shade(other))
    })

    test('of the next page are loaded when a link leads to it, in the same order', async () => {
      const { page, expectQuietConsole } = await openPage(served.app)
      await page.goto('/b')
      await hydratedElement(page.getByRole('link', { name: 'A', exact: true }))
      await page.getByRole('link', { name: 'A', exact: true }).click()
      await page.getByText('alive only-on-page-a').waitFor()
      expect(await styleOf(page, 'h1', 'color')).toBe('rgb(4, 4, 4)')
      expect(await styleOf(page, 'h1', 'background-color')).toBe('rgb(3, 3, 3)')
      expect(await styleOf(page, '#panel', 'outline-color')).toBe('rgb(5, 5, 5)')
      expectQuietConsole()
    })
  })

  describe('scripts, images and fonts', () => {
    test('client code is loaded only for its page', async () => {
      const { page } = await openPage(served.app)
      const scriptTexts = recordScripts(page)
      await page.goto('/a')
      await page.getByText('alive only-on-page-a').waitFor()
      const code = await scriptTexts()
      expect(code).toContain('only-on-page-a')
      expect(code).not.toContain('only-on-page-b')
    })

    test('imported images and fonts load, and small images are inlined', async () => {
      const { page, expectQuietConsole } = await openPage(served.app)
      await page.goto('/')
      const widthOf = (selector: string) =>
        page.locator(selector).evaluate((image: HTMLImageElement) => image.naturalWidth)
      await expect.poll(() => widthOf('#logo')).toBe(40)
      await expect.poll(() => widthOf('#public')).toBe(40)
      await expect.poll(() => widthOf('#dot')).toBe(4)
      if (isBuilt(served)) {
        expect(await page.locator('#dot').getAttribute('src')).toMatch(/^data:image\/svg/)
        expect(await page.locator('#logo').getAttribute('src')).toMatch(/^\/_waymark\/assets\//)
      }
      // Measure the text's width: in this font, letters are twice as wide as they are high.
      await expect.poll(() => styleOf(page, '.boxed', 'width')).toBe('40px')
      expectQuietConsole()
    })

    test('files of public/ are served at the root, with the right type', async () => {
      const robots = await served.fetch('/robots.txt')
      expect(robots.status).toBe(200)
      expect(robots.headers.get('content-type')).toMatch(/^text\/plain/)
      expect(await robots.text()).toBe('User-agent: *\n')
      expect(await (await served.fetch('/with%20space.txt')).text()).toContain('with a space')
      expect(await (await served.fetch('/_nested/gr%C3%B6%C3%9Fe.txt')).text()).toBe('nested\n')
      const head = await served.fetch('/robots.txt', { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
    })

    test('a missing asset is a plain 404', async () => {
      for (const path of ['/_waymark/assets/none-abc123.js', '/_waymark/assets/none.css?x=1']) {
        const response = await served.fetch(path)
        expect(response.status).toBe(404)
        expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
        expect(await response.text()).not.toContain('<')
      }
    })
  })

  describe.runIf(served.mode === 'production')('assets on the wire', () => {
    const assetOf = async (pattern: RegExp): Promise<string> => {
      const html = await (await served.fetch('/')).text()
      return pattern.exec(html)?.[0] ?? 'none'
    }
    const script = /\/_waymark\/assets\/[\w.-]+\.js/
    const style = /\/_waymark\/assets\/[\w.-]+\.css/

    test('hashed ones are immutable, and files of public/ are revalidated', async () => {
      for (const asset of [await assetOf(script), await assetOf(style)]) {
        const { headers } = await served.fetch(asset)
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      }
      const { headers } = await served.fetch('/robots.txt')
      expect(headers.get('cache-control')).toContain('must-revalidate')
    })

    test('are sent in an encoding that the client accepts', async () => {
      for (const asset of [await assetOf(script), await assetOf(style)]) {
        for (const [accepted, coding] of [
          ['br', 'br'],
          ['gzip', 'gzip'],
          ['gzip, deflate, br', 'br'],
          ['gzip;q=1, br;q=0', 'gzip'],
          ['identity', null],
          ['', null],
        ]) {
          const { headers } = await served.fetch(asset, {
            headers: { 'accept-encoding': accepted ?? '' },
          })
          expect([accepted, headers.get('content-encoding')]).toEqual([accepted, coding])
          expect(headers.get('vary')?.toLowerCase()).toContain('accept-encoding')
        }
      }
    })

    test('prerendered pages are compressed, too', async () => {
      const { headers } = await served.fetch('/', { headers: { 'accept-encoding': 'br' } })
      expect(headers.get('content-encoding')).toBe('br')
    })

    test('are not sent again to a client that has them', async () => {
      for (const path of [await assetOf(script), '/robots.txt', '/']) {
        const first = await served.fetch(path)
        const etag = first.headers.get('etag') ?? 'none'
        const again = await served.fetch(path, { headers: { 'if-none-match': etag } })
        expect([path, again.status, await again.text()]).toEqual([path, 304, ''])
        expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'))
        const other = await served.fetch(path, { headers: { 'if-none-match': '"other"' } })
        expect(other.status).toBe(200)
      }
    })

    test('are sent in part for a range request', async () => {
      const headers = { 'accept-encoding': 'identity' }
      const rangeOf = (range: string) =>
        served.fetch('/long.txt', { headers: { ...headers, range } })
      const part = await rangeOf('bytes=10-18')
      expect([part.status, await part.text()]).toEqual([206, 'line 0001'])
      expect(part.headers.get('content-range')).toBe('bytes 10-18/10000')
      const end = await rangeOf('bytes=-5')
      expect([end.status, await end.text()]).toEqual([206, '0999\n'])
      expect((await rangeOf('bytes=10000-')).status).toBe(416)
      expect((await rangeOf('lines=1-2')).status).toBe(200)
    })

    test('accept no other method', async () => {
      const response = await served.fetch('/robots.txt', { method: 'POST', body: 'x' })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    })
  })
})
