import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'

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

  test('a page overrides a stylesheet that an earlier page loaded for a client component', async () => {
    const { page } = await openPage(served.app)
    const colorOf = (button: Locator) =>
      button.evaluate((element) => getComputedStyle(element).color)
    const buttons = page.getByRole('button', { name: 'Shared' })
    await page.goto('/styled/shared/client')
    for (const index of [0, 1]) {
      await expect.poll(() => colorOf(buttons.nth(index))).toBe('rgb(1, 0, 0)')
    }
    await hydratedElement(buttons.first())
    await page.getByRole('link', { name: 'To the server component' }).click()
    await page.locator('h1', { hasText: 'Server component' }).waitFor()
    const visibleButton = page.locator('button:visible', { hasText: 'Shared' })
    await expect.poll(() => colorOf(visibleButton)).toBe('rgb(2, 0, 0)')
    await page.goBack()
    await expect.poll(() => colorOf(visibleButton.first())).toBe('rgb(1, 0, 0)')
    await page.goForward()
    await page.locator('h1:visible').waitFor()
    expect(await colorOf(visibleButton)).toBe('rgb(2, 0, 0)')
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
