import { expect, test } from 'vitest'
import { violations } from './harness/axe.ts'
import { describeModes } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'
import { heading, pathOf } from './harness/visit.ts'

describeModes('the German site', { app: 'site', modes: ['production'] }, (served) => {
  const html = async (path: string) =>
    (await served.fetch(path, { headers: { accept: 'text/html' } })).text()

  test.each([
    ['/de', 'kommt an'],
    ['/de/lab', 'Nichts ist simuliert'],
    ['/de/guide', 'Waymark lernen'],
    ['/de/guide/routing', 'Welche Route gewinnt'],
    ['/de/guide/caching', 'Diese Seite gibt es nur auf Englisch.'],
    ['/de/nothing', 'Diese Seite wurde nicht gefunden.'],
    ['/de/guide/nothing', 'Diese Seite wurde nicht gefunden.'],
    ['/de/a/b', 'Diese Seite wurde nicht gefunden.'],
  ])('%s is in German', async (path, text) => {
    const document = await html(path)
    expect(document).toContain('<html lang="de"')
    expect(document).toContain(text)
    expect(document).toContain('>Handbuch</a>')
  })

  test.each([
    ['/', '/de', true],
    ['/lab', '/de/lab', true],
    ['/guide/routing', '/de/guide/routing', true],
    ['/guide/caching', '/de/guide/caching', false],
  ])('%s and %s name each other if both exist: %s', async (english, german, areBoth) => {
    for (const [path, own] of [
      [english, english],
      [german, areBoth ? german : english],
    ] as const) {
      const document = await html(path)
      expect(document).toMatch(new RegExp(`<link rel="canonical" href="[^"]*${own}"`))
      for (const [language, url] of [
        ['en', english],
        ['de', german],
      ]) {
        const link = new RegExp(`<link rel="alternate" href="[^"]*${url}" hrefLang="${language}"`)
        if (areBoth) expect(document).toMatch(link)
        else expect(document).not.toMatch(link)
      }
    }
  })

  test('the language link leads to the same page, and links keep the language', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/guide/routing')
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.getByText('Auf dieser Seite').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Typed routes' }).first().click()
    await page.getByText('Diese Seite gibt es nur auf Englisch.').waitFor()
    expect(pathOf(page)).toBe('/de/guide/typed-routes')
    await page.getByRole('banner').getByRole('link', { name: 'Labor' }).click()
    await heading(page, 'Labor').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Weiterleitungen' }).click()
    await heading(page, 'Redirects').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await page.goBack()
    await heading(page, 'Labor').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    expectQuietConsole()
  })

  test('the search finds German pages', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/de', { waitUntil: 'networkidle' })
    await page.keyboard.press('/')
    const dialog = page.getByRole('dialog', { name: 'Suche' })
    await dialog.getByRole('searchbox').fill('abgefangene')
    const result = dialog.getByRole('link', { name: 'Routing: Abgefangene Routen' })
    expect(await result.getAttribute('href')).toBe('/de/guide/routing#interception')
  })

  test.each([390, 1280])('axe finds nothing at %i px, and no page is too wide', async (width) => {
    const { page } = await openPage(served.app, { viewport: { width, height: 800 } })
    for (const path of ['/de', '/de/lab', '/de/guide', '/de/guide/routing', '/de/guide/caching']) {
      await page.goto(path)
      await expect.poll(() => page.getByRole('main').count(), { message: path }).toBe(1)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect.soft(wide, path).toBeLessThanOrEqual(width)
      expect.soft(await violations(page), path).toEqual([])
    }
  })
})
