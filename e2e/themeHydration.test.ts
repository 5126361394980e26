import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'

/** Folders of the root layouts, with the font size that each layout sets on `<html>`. */
const layouts = [
  ['a plain layout', '/plain', ''],
  ['a layout with a class and a style', '/styled', '20px'],
  ['a component of the layout', '/component', '20px'],
  ['a client component', '/client', ''],
] as const

describeModes('hydration of <html>', { app: 'themeHydration' }, (served) => {
  test.for(layouts)('in %s is quiet, and does not change the theme', async ([, path, fontSize]) => {
    const { page, expectQuietConsole } = await openPage(served.app, { colorScheme: 'dark' })
    await page.goto(path)
    await hydratedElement(page.getByRole('button'))
    const html = page.locator('html')
    expect(await html.getAttribute('class')).toMatch(/\bdark$/)
    expect(await html.getAttribute('data-mode')).toBe('dark')
    const readStyle = () =>
      html.evaluate(({ style, attributes }) => ({
        fontSize: style.fontSize,
        scheme: style.colorScheme,
        names: [...attributes].map((attribute) => attribute.name),
      }))
    const names = expect.arrayContaining(['data-theme-preference'])
    // In development, the page's own scripts don't see the attribute until hydration has ended.
    await expect.poll(readStyle).toMatchObject({ fontSize, scheme: 'dark', names })
    expectQuietConsole()
  })
})
