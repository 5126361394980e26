import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'

/** Returns the colours of the overlay's window once the overlay is open. */
async function overlayColors(page: Page): Promise<string[]> {
  const overlay = page.locator('vite-error-overlay')
  await overlay.waitFor({ state: 'attached' })
  return overlay.evaluate((element) => {
    const part = element.shadowRoot?.querySelector('.window') as HTMLElement
    const { backgroundColor, color } = getComputedStyle(part)
    return [backgroundColor, color]
  })
}

const light = ['rgb(255, 255, 255)', 'rgb(29, 28, 26)']
const dark = ['rgb(24, 24, 24)', 'rgb(216, 216, 216)']

const brokenProxy = `throw new Error('on purpose')`

describeModes('the error overlay', { app: 'theme', modes: ['dev'] }, (served) => {
  test('has the theme that the person chose', async () => {
    const { page } = await openPage(served.app, { colorScheme: 'dark' })
    await page.goto('/broken')
    expect(await overlayColors(page)).toEqual(dark)
    await page.evaluate(() => localStorage.setItem('theme', 'light'))
    await page.reload()
    expect(await overlayColors(page)).toEqual(light)
  })

  test('has the theme above a screen without a layout, too', async () => {
    const { page } = await openPage(served.app, { colorScheme: 'light' })
    await page.goto('/')
    served.app.edit('app/dynamic/page.tsx', (text) => `${text}\nexport const broken = ;`)
    await page.goto('/dynamic')
    // Repeat the check, because an edit is reported in several steps, and the page may reload
    // between two of them.
    await expect.poll(() => overlayColors(page).catch(() => null)).toEqual(light)
    served.app.edit('app/dynamic/page.tsx', (text) => text.replace('\nexport const broken = ;', ''))
  })
})

describeModes(
  'the error page of an app that can not be loaded',
  { app: 'theme', files: { 'proxy.ts': brokenProxy }, modes: ['dev'] },
  (served) => {
    test.for([
      ['light', light],
      ['dark', dark],
    ] as const)('is %s for users who prefer that', async ([preference, colors]) => {
      const { page } = await openPage(served.app, {
        colorScheme: preference === 'light' ? 'dark' : 'light',
      })
      await page.goto('/')
      await page.evaluate((name) => localStorage.setItem('theme', name), preference)
      await page.reload()
      expect(await overlayColors(page)).toEqual(colors)
      const scheme = await page.evaluate(
        () => getComputedStyle(document.documentElement).colorScheme,
      )
      expect(scheme).toBe(preference)
    })
  },
)
