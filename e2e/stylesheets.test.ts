import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'

// Colors in each style file, which override a color from the layout.
const colors = ['rgb(2, 0, 0)', 'rgb(3, 0, 0)']

describeModes('the order of stylesheets', { app: 'rendering' }, (served) => {
  // Keep this order, because the first case must be the first rendering of its files in the
  // process.
  test.each([
    ['the first time', '/styled/dynamic'],
    ['the second time', '/styled/dynamic'],
    ['in parts that come late', '/styled/late'],
    ['in a static page', '/styled/static'],
  ])('client components override their layout: %s', async (_, path) => {
    const { page } = await openPage(served.app, { javaScriptEnabled: path.includes('late') })
    await page.goto(path)
    await page.locator('.styled-widget').waitFor()
    const color = (selector: string) =>
      page.locator(selector).evaluate((element) => getComputedStyle(element).color)
    // In development, the browser gets some of the styles as scripts.
    const colorsInPage = async () => [await color('.styled-header'), await color('.styled-widget')]
    await expect.poll(colorsInPage).toEqual(colors)
  })

  test('links are in the same order in every document', async () => {
    const orders = new Set<string>()
    for (const path of ['dynamic', 'dynamic', 'static']) {
      const html = await (await served.fetch(`/styled/${path}`)).text()
      const links = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
      orders.add(links.map((link) => /href="([^"]*)"/.exec(link)?.[1]).join('\n'))
    }
    expect([...orders]).toHaveLength(1)
  })
})
