import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

/** Returns a list with an entry for each time that one of the fixture's scripts has run. */
const ran = (page: Page) =>
  page.evaluate(() => ((window as unknown as { ran?: string[] }).ran ?? []).toSorted().join(' '))

describeApp('<Script>', { app: 'scripts' }, (served) => {
  test('runs each at its time, and reports failures', async () => {
    const { page } = await openPage(served.app)
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    page.on('console', (message) => message.type() === 'warning' && errors.push(message.text()))
    await page.goto('/')
    await expect.poll(() => ran(page)).toBe('each idle layout')
    await page.getByText('The end').scrollIntoViewIfNeeded()
    await expect.poll(() => ran(page)).toBe('each idle layout seen')
    await page.keyboard.press('Shift')
    await expect.poll(() => ran(page)).toBe('click each idle layout seen')
    expect(errors).toEqual([expect.stringContaining("The script /missing.js couldn't be loaded.")])
  })

  test('runs once in the life of the tab, or each time', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/silent')
    await expect.poll(() => ran(page)).toBe('layout')
    for (const expected of ['each idle layout', 'each each idle layout']) {
      await page.getByRole('link', { name: 'Home' }).click()
      await page.getByRole('heading', { name: 'Home' }).waitFor()
      await expect.poll(() => ran(page)).toContain(expected)
      await page.getByRole('link', { name: 'Silent' }).click()
      await page.getByRole('heading', { name: 'Silent' }).waitFor()
    }
  })

  test("waits for the person's consent, and remembers it", async () => {
    const { page } = await openPage(served.app)
    await page.goto('/interactive')
    await hydrated(page)
    await expect.poll(() => ran(page)).toBe('layout')
    expect(await page.locator('output').textContent()).toBe('not said')
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.locator('output', { hasText: 'false' }).waitFor()
    await page.getByRole('button', { name: 'Agree' }).click()
    await expect.poll(() => ran(page)).toBe('consent layout')
    await page.reload()
    await page.locator('output', { hasText: 'true' }).waitFor()
    await expect.poll(() => ran(page)).toBe('consent layout')
  })

  test('can be added only by the app, not by text of a person', async () => {
    const { page } = await openPage(served.app)
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).search))
    await page.goto('/written')
    await expect.poll(() => ran(page)).toBe('layout own')
    expect(requested).not.toContain('?written')
    // A script in a late part must run, even if only its nonce allows it.
    await page.goto('/late')
    await expect.poll(() => ran(page)).toBe('late layout seen')
  })

  test('is in the document once, and delays no navigation', async () => {
    const html = await (await served.fetch('/')).text()
    expect(html.match(/<script[^>]*scriptLoader/g)).toHaveLength(1)
    const { page } = await openPage(served.app)
    await page.route('**/count.js*', () => {})
    await page.goto('/', { waitUntil: 'commit' })
    await page.getByRole('link', { name: 'Silent' }).click()
    await page.getByRole('heading', { name: 'Silent' }).waitFor()
  })
})
