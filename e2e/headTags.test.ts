import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

type Tags = {
  readonly title: string
  readonly description: string[]
  readonly canonical: string[]
  readonly viewport: string[]
  readonly themeColor: string[]
  readonly image: string[]
}

const viewport = 'width=device-width, initial-scale=1'

const fromLayout: Tags = {
  title: 'From the layout',
  description: ['From the layout'],
  canonical: ['https://example.com/layout'],
  viewport: [viewport],
  themeColor: ['red'],
  image: ['https://example.com/layout.png', 'Layout'],
}

const rendered: Tags = {
  title: 'Rendered',
  description: ['Rendered'],
  canonical: ['https://example.com/rendered'],
  viewport: ['width=600'],
  themeColor: ['blue', 'navy'],
  image: ['https://example.com/rendered.png'],
}

/** Reads the tags of HTML as a browser does, without running its scripts. */
function tagsOfHtml(page: Page, html: string): Promise<Tags> {
  return page.evaluate(
    `(${readTags})(new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html'))`,
  )
}

function tagsOf(page: Page): Promise<Tags> {
  return page.evaluate(`(${readTags})(document)`)
}

function readTags(document: Document): Tags {
  const read = (selector: string, attribute: string) =>
    [...document.querySelectorAll(selector)].map((tag) => tag.getAttribute(attribute) ?? '')
  return {
    title: document.title,
    description: read('meta[name=description]', 'content'),
    canonical: read('link[rel=canonical]', 'href'),
    viewport: read('meta[name=viewport]', 'content'),
    themeColor: read('meta[name="theme-color"]', 'content'),
    image: read('meta[property^="og:image"]', 'content'),
  }
}

describeModes('tags in components', { app: 'errors' }, (served) => {
  test.each([
    ['/head', rendered],
    ['/head/plain', fromLayout],
    ['/head/throw', { ...fromLayout, title: 'It failed' }],
  ])('replace those of the metadata in the HTML and in the browser: %s', async (path, tags) => {
    const html = await (await served.fetch(path)).text()
    expect(html.match(/<title>/g)).toHaveLength(1)
    const { page } = await openPage(served.app)
    await page.goto(served.url(path))
    await hydrated(page)
    expect(await tagsOfHtml(page, html)).toEqual(tags)
    await expect.poll(() => tagsOf(page)).toEqual(tags)
  })

  test('replace them on navigations, and give way when the page is left', async () => {
    const { page } = await openPage(served.app)
    await page.goto(served.url('/head/plain'))
    await hydrated(page)
    // Dispatch the event, because in development the overlay with the error covers the page.
    const go = (name: string) => page.getByRole('link', { name }).dispatchEvent('click')
    for (let round = 0; round < 2; round++) {
      await go('rendered')
      await expect.poll(() => tagsOf(page)).toEqual(rendered)
      await go('plain')
      await expect.poll(() => tagsOf(page)).toEqual(fromLayout)
      await go('late')
      await expect.poll(() => page.title()).toBe('Arrived late')
      await go('client')
      await expect.poll(() => tagsOf(page)).toEqual({ ...fromLayout, title: 'From the page' })
      await page.goBack()
      await expect.poll(() => page.title()).toBe('Arrived late')
    }
    await go('throw')
    await expect.poll(() => page.title()).toBe('It failed')
    await go('plain')
    await expect.poll(() => tagsOf(page)).toEqual(fromLayout)
  })

  test('keep their place after an action and a refresh, and give way when they disappear', async () => {
    const { page } = await openPage(served.app)
    await page.goto(served.url('/head/client'))
    await hydrated(page)
    const press = (name: string) => page.getByRole('button', { name }).click()
    const unread = { ...fromLayout, title: '3 unread', description: ['3 unread'] }
    await press('Receive')
    await expect.poll(() => tagsOf(page)).toEqual(unread)
    const count = Number(await page.textContent('#count'))
    await press('Increment')
    await expect.poll(() => page.textContent('#count')).toBe(String(count + 1))
    expect(await tagsOf(page)).toEqual(unread)
    const refreshed = page.waitForResponse((response) => response.url().includes('/_waymark/data/'))
    await press('Refresh')
    await refreshed
    expect(await tagsOf(page)).toEqual(unread)
    await press('Read')
    await expect.poll(() => tagsOf(page)).toEqual({ ...fromLayout, title: 'From the page' })
    await press('Break')
    await expect.poll(() => page.title()).toBe('It failed')
  })

  test('that arrive late replace those of the metadata, first by an inline script, then by React', async () => {
    const streamed = { ...fromLayout, title: 'Arrived late', description: ['Arrived late'] }
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto(served.url('/head/late'))
    await hydrated(page)
    await expect.poll(() => tagsOf(page)).toEqual(streamed)
    await page.getByRole('link', { name: 'plain' }).click()
    await expect.poll(() => tagsOf(page)).toEqual(fromLayout)
    expectQuietConsole()

    const { page: withoutFiles } = await openPage(served.app)
    await withoutFiles.route(/\.js|\.tsx?|@/, (route) => route.abort())
    await withoutFiles.goto(served.url('/head/late'))
    await expect.poll(() => withoutFiles.title()).toBe('Arrived late')
  })
})
