import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'

function expectWhole(html: string) {
  expect(html).toMatch(/^<!DOCTYPE html><html [^>]*lang="[a-z-]+"[^>]*><head>/)
  expect(html).toMatch(/<\/body><\/html>$/)
  for (const part of ['<html', '<head>', '<body', '<title>', '<meta charSet']) {
    expect(html.split(part).length, part).toBe(2)
  }
}

describeModes('a root layout below a group or a param', { app: 'rootLayouts' }, (served) => {
  test.each([
    ['/xx', 404],
    ['/locked', 401],
    ['/closed', 403],
    ['/broken', 500],
    ['/throws/xx', 404],
    ['/throws/broken', 500],
    ['/en/nothing', 404],
  ])('that ends with %s is a whole document', async (path, status) => {
    const response = await served.fetch(path)
    expect(response.status).toBe(status)
    const html = await response.text()
    expectWhole(html)
    expect(html.slice(0, html.indexOf('</head>'))).toContain('data-theme')
    const { page } = await openPage(served.app)
    await page.goto(path)
    expect(await page.evaluate(() => document.compatMode)).toBe('CSS1Compat')
    expect(await page.locator('h1').count()).toBe(1)
  })
})
