import { expect, test } from 'vitest'
import type { Mode } from './harness/app.ts'
import { describeApp } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'

// Matches the console's messages about a failed status, and the error of the broken layout.
const statusLine = /Failed to load resource|the layout is broken/

/**
 * Checks that HTML is one complete document, with a title and with the script that sets the theme
 * before the first paint.
 */
function expectWhole(html: string, mode: Mode) {
  expect(html).toMatch(/^<!DOCTYPE html><html [^>]*lang="[a-z-]+"[^>]*><head>/)
  // In development, the overlay comes after the document.
  expect(html).toMatch(mode === 'dev' ? /<\/body><\/html>/ : /<\/body><\/html>$/)
  for (const part of ['<html', '<head>', '<body', '<title>', '<meta charSet']) {
    expect(html.split(part).length, part).toBe(2)
  }
  expect(html.slice(0, html.indexOf('</head>'))).toContain('data-waymark-theme')
}

const ends = [
  ['/xx', 404],
  ['/locked', 401],
  ['/closed', 403],
  ['/broken', 500],
  ['/throws/xx', 404],
  ['/throws/broken', 500],
  ['/en/nothing', 404],
] as const

describeApp('a root layout below a group or a param', { app: 'rootLayouts' }, (served) => {
  test.each(ends)('that ends with %s is a complete document', async (path, status) => {
    const response = await served.fetch(path)
    expect(response.status).toBe(status)
    expectWhole(await response.text(), served.mode)
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto(path)
    expect(await page.evaluate(() => document.compatMode)).toBe('CSS1Compat')
    expect(await page.locator('h1').count()).toBe(1)
    expectQuietConsole([statusLine])
  })

  test('stays around the screen of a page inside', async () => {
    expect(await (await served.fetch('/throws/xx')).text()).toContain('<header>The shop</header>')
  })

  test('can be navigated to, and back', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.goto('/')
    await page.getByRole('link', { name: 'An unknown language' }).click()
    await expect.poll(() => page.locator('h1').textContent()).not.toBe('Home')
    expect(await page.locator('header').count()).toBe(0)
    await page.goBack()
    await expect.poll(() => page.locator('h1').textContent()).toBe('Home')
    expect(await page.locator('header').textContent()).toBe('The shop')
    expectQuietConsole([statusLine])
  })
})

const screens = {
  'app/not-found.tsx': 'export default () => <h1>Nothing here</h1>\n',
  'app/error.tsx': "'use client'\nexport default () => <h1>It broke</h1>\n",
  'app/unauthorized.tsx': `export const metadata = { title: 'Members' }
export default async () => <html lang="de"><body><h1>Members only</h1></body></html>
`,
}

describeApp(
  "an app's screens above its root layouts",
  { app: 'rootLayouts', files: screens },
  (served) => {
    test.each([
      ['/xx', 404, 'Nothing here', 0],
      ['/locked', 401, 'Members only', 0],
      ['/broken', 500, 'It broke', 0],
      ['/throws/xx', 404, 'Nothing here', 1],
      ['/throws/broken', 500, 'It broke', 1],
    ])('are complete documents: %s', async (path, status, heading, headers) => {
      const response = await served.fetch(path)
      expect(response.status).toBe(status)
      const html = await response.text()
      expectWhole(html, served.mode)
      expect(html).toContain(heading)
      expect(html.split('<header>').length - 1).toBe(headers)
      const { page, expectQuietConsole } = await openPage(served.app)
      await page.goto(path)
      expect(await page.locator('h1').textContent()).toBe(heading)
      expectQuietConsole([statusLine])
    })
  },
)

const globals = {
  'app/not-found.tsx': 'export default () => <h1>Nothing here</h1>\n',
  'app/global-not-found.tsx': `export const metadata = { title: 'Lost' }
export default () => <html lang="fr"><body><h1>Nowhere</h1></body></html>
`,
  'app/global-error.tsx': `'use client'
export default () => <html lang="fr"><body><title>Oh</title><h1>All broke</h1></body></html>
`,
}

describeApp('global screens', { app: 'rootLayouts', files: globals }, (served) => {
  test.each([
    ['/xx', 404, 'Nowhere'],
    ['/broken', 500, 'All broke'],
    ['/throws/xx', 404, 'Nothing here'],
  ])('replace a root layout that failed: %s', async (path, status, heading) => {
    const response = await served.fetch(path)
    expect(response.status).toBe(status)
    const html = await response.text()
    expectWhole(html, served.mode)
    expect(html).toContain(heading)
  })
})

describeApp('a URL below which no root layout is possible', { app: 'langOnly' }, (served) => {
  test('is a complete document', async () => {
    const response = await served.fetch('/')
    expect(response.status).toBe(404)
    expectWhole(await response.text(), served.mode)
  })
})

const notFoundFile = { 'app/not-found.tsx': 'export default () => <h1>Nothing here</h1>\n' }

describeApp(
  "the app's not-found screen there",
  { app: 'langOnly', files: notFoundFile },
  (served) => {
    test('is a complete document', async () => {
      const html = await (await served.fetch('/')).text()
      expectWhole(html, served.mode)
      expect(html).toContain('<h1>Nothing here</h1>')
    })
  },
)
