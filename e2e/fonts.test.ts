import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

const isFont = /\.woff2/

/** Records the names of requested font files, without the build's hash. */
function watchFonts(page: Page): Set<string> {
  const fonts = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (isFont.test(pathname)) fonts.add(pathname.replace(/.*\//, '').replace(/-wght.*/, ''))
  })
  return fonts
}

const familyOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => getComputedStyle(element).fontFamily)

describeApp('font()', { app: 'fonts' }, (served) => {
  test('serves the files of a package, and only those that the page shows', async () => {
    const { page } = await openPage(served.app)
    const fonts = watchFonts(page)
    await page.goto('/')
    await expect
      .poll(() => [...fonts].sort())
      .toEqual(['source-code-pro-latin', 'source-serif-4-latin'])
    await page.evaluate(() => document.fonts.ready)
    await expect
      .poll(() => familyOf(page, 'main'))
      .toBe('"Source Serif 4", "Source Serif 4 Fallback", serif')
    expect(await familyOf(page, '#code')).toContain('"Source Code Pro Fallback", ui-monospace')
    const isLoaded = await page.evaluate(() => document.fonts.check('16px "Source Serif 4"'))
    expect(isLoaded).toBe(true)
  })

  test('preloads files before the style sheet is read, unless preload is off', async () => {
    const html = await (await served.fetch('/')).text()
    const preloads = html.match(/<link[^>]*as="font"[^>]*>/g) ?? []
    expect(preloads).toHaveLength(1)
    expect(preloads[0]).toMatch(/source-serif-4-latin-wght-normal/)
    expect(preloads[0]).toMatch(/crossorigin/i)
    expect(await (await served.fetch('/plain')).text()).not.toContain('as="font"')
  })

  test('causes no layout shift when the file arrives', async () => {
    const { page } = await openPage(served.app)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(isFont, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'commit' })
    await hydrated(page)
    const before = await page.locator('#after').boundingBox()
    await page.evaluate(() => {
      const shifts: number[] = []
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          shifts.push((entry as never as { value: number }).value)
      })
      observer.observe({ type: 'layout-shift', buffered: true })
      Object.assign(window, { shifts })
    })
    release()
    await page.evaluate(() => document.fonts.ready)
    await page.waitForFunction(() => document.fonts.check('16px "Source Serif 4"'))
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    const after = await page.locator('#after').boundingBox()
    expect(after?.y).toBe(before?.y)
    const sum = await page.evaluate(() =>
      (window as never as { shifts: number[] }).shifts.reduce((all, each) => all + each, 0),
    )
    expect(sum).toBe(0)
  })

  test('works with a navigation, too', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/plain')
    await hydrated(page)
    const fonts = watchFonts(page)
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Fonts' }).waitFor()
    await page.waitForFunction(() => document.fonts.check('16px "Source Serif 4"'))
    expect([...fonts]).toContain('source-serif-4-latin')
  })
})
