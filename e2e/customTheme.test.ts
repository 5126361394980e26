import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

/** Returns the attributes that the custom theme sets, and the document's colour scheme. */
const marks = (page: Page) =>
  page.evaluate(() => {
    const { dataset, className, style } = document.documentElement
    return [dataset.theme, className, style.colorScheme]
  })

async function follow(page: Page, link: string, heading: string): Promise<void> {
  await page.getByRole('link', { name: link, exact: true }).click()
  await page.getByRole('heading', { name: heading }).waitFor()
}

describeApp('a custom theme', { app: 'customTheme' }, (served) => {
  async function visit() {
    const opened = await openPage(served.app)
    await opened.page.goto('/')
    await hydrated(opened.page)
    return opened
  }

  test('stays through hydration and navigations', async () => {
    const { page } = await visit()
    expect(await marks(page)).toEqual(['paper', 'paper', 'light'])
    await page.getByRole('button', { name: 'Ink' }).click()
    await follow(page, 'Other', 'Other page')
    expect(await marks(page)).toEqual(['ink', 'ink', 'dark'])
    await page.goBack()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    expect(await marks(page)).toEqual(['ink', 'ink', 'dark'])
    await page.reload()
    await hydrated(page)
    expect(await marks(page)).toEqual(['ink', 'ink', 'dark'])
  })

  test('stays if the system theme changes, even if that removes an attribute', async () => {
    const { page } = await visit()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.evaluate(() => new Promise(requestAnimationFrame))
    expect(await marks(page)).toEqual(['paper', 'paper', 'light'])
    await page.evaluate(() => {
      document.documentElement.style.colorScheme = ''
    })
    await follow(page, 'Other', 'Other page')
    expect(await marks(page)).toEqual(['paper', 'paper', ''])
  })

  test('can be forced by a route while the route is shown', async () => {
    const { page } = await visit()
    await page.getByRole('button', { name: 'Ink' }).click()
    await page.evaluate(() => {
      document.documentElement.style.colorScheme = 'light'
    })
    await follow(page, 'Forced', 'Forced page')
    expect(await marks(page)).toEqual(['dark', 'ink', 'dark'])
    await follow(page, 'Other', 'Other page')
    expect(await marks(page)).toEqual(['ink', 'ink', 'light'])
  })
})

describeApp('the current theme', { app: 'theme' }, (served) => {
  test('is read from the storage again before it is written', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/')
    await hydrated(page)
    const scheme = () => page.evaluate(() => document.documentElement.style.colorScheme)
    expect(await scheme()).toBe('light')
    // Write the theme as a foreign script would: without an event.
    await page.evaluate(() => localStorage.setItem('theme', 'dark'))
    await page.getByRole('link').first().click()
    await expect.poll(scheme).toBe('dark')
  })
})
