import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

/** Holds scripts back until they are released. */
async function holdScripts(page: Page, isHeld: (code: string) => boolean): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(
    () => true,
    async (route) => {
      if (route.request().resourceType() !== 'script') return route.continue()
      const response = await route.fetch()
      const body = await response.text()
      if (isHeld(body)) await released
      await route.fulfill({ response, body })
    },
  )
  return release
}

async function choose(page: Page): Promise<void> {
  await page.getByLabel('Theme').selectOption('dark')
  await page.getByLabel('List').selectOption('b')
  await page.getByLabel('Box').check()
  await page.getByLabel('Radio b').check()
  await page.getByLabel('Name').fill('Ada')
  await page.getByText('More').click()
}

async function expectChosen(page: Page): Promise<void> {
  await expect.poll(() => page.locator('output').textContent()).toBe('b,true,b,Ada,true')
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect(await page.getByLabel('Theme').inputValue()).toBe('dark')
  expect(await page.getByText('Of it').isVisible()).toBe(true)
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark')
}

describeModes('what is chosen early', { app: 'early' }, (served) => {
  test('stays where all scripts are late, and components hear of it', async () => {
    const { page, expectQuietConsole } = await openPage(served.app, { colorScheme: 'light' })
    const release = await holdScripts(page, () => true)
    await page.goto('/', { waitUntil: 'commit' })
    await choose(page)
    release()
    await expectChosen(page)
    // In development, React warns of the `<details>` that a person has opened.
    if (served.mode === 'production') expectQuietConsole()
  })

  test('stays where the code of its component alone is late', async () => {
    const { page, expectQuietConsole } = await openPage(served.app, { colorScheme: 'light' })
    if (served.mode === 'dev') {
      await page.goto('/')
      await hydrated(page)
    }
    const release = await holdScripts(page, (code) => code.includes('chosen-component'))
    await page.goto('/', { waitUntil: 'commit' })
    // React has begun to take over.
    await page.waitForFunction(() =>
      Object.keys(document).some((key) => key.startsWith('__reactContainer')),
    )
    await choose(page)
    release()
    await expectChosen(page)
    // In development, React warns of the `<details>` that a person has opened.
    if (served.mode === 'production') expectQuietConsole()
  })
})
