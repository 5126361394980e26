import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { heading, visit } from './harness/visit.ts'

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())
const announced = (page: Page) => page.locator('html > [aria-live=polite]').textContent()
const isOnBody = (page: Page) => page.evaluate(() => document.activeElement === document.body)

describeApp('the focus around a modal', { app: 'slots' }, (served) => {
  async function openPhoto() {
    const opened = await visit(served.app, '/album')
    const { page } = opened
    await page.getByRole('link', { name: 'Photo 2' }).focus()
    await page.keyboard.press('Enter')
    await heading(page, 'Photo 2 in a modal').waitFor()
    // The focus must be on the modal's heading, although the heading of the page under the modal
    // comes first in the document.
    await expect.poll(() => focused(page)).toBe('Photo 2 in a modal')
    return opened
  }

  test('moves into it, and returns to the link that opened it on Back', async () => {
    const { page } = await openPhoto()
    await page.goBack()
    await expect.poll(() => focused(page)).toBe('Photo 2')
    expect(await page.getByRole('dialog').isVisible()).toBe(false)
  })

  test('returns with a link in the modal, and from a second modal', async () => {
    const { page, link } = await openPhoto()
    await link('Close')
    await expect.poll(() => focused(page)).toBe('Photo 2')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Photo 2 in a modal')
    await link('Next photo')
    await expect.poll(() => focused(page)).toBe('Photo 3 in a modal')
    await link('Close')
    await expect.poll(() => focused(page)).toBe('Photo 2')
  })

  test('moves to the heading of a different page', async () => {
    const { page, link } = await openPhoto()
    await link('/open')
    await expect.poll(() => focused(page)).toBe('Open')
    await page.goBack()
    await expect.poll(() => focused(page)).toBe('Photo 2 in a modal')
  })
})

describeApp('a change of only the query', { app: 'slots' }, (served) => {
  test('is announced each time, and the focus stays', async () => {
    const { page, link } = await visit(served.app, '/album?part=4')
    await link('First part')
    await page.getByText('Part 1', { exact: true }).waitFor()
    await expect.poll(() => announced(page)).toMatch(/^Album\s*$/)
    expect(await focused(page)).toBe('First part')
    const before = await announced(page)
    await page.goBack()
    await page.getByText('Part 4', { exact: true }).waitFor()
    // Both pages have the same title, so the announced text must differ in another way. Otherwise,
    // screen readers wouldn't read it again.
    await expect.poll(async () => (await announced(page)) !== before).toBe(true)
    expect(await announced(page)).toMatch(/^Album\s*$/)
    // Wait a frame, because browsers remove the focus from a hidden element in the next frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
    expect(await isOnBody(page)).toBe(false)
  })

  test('that removes the focused element moves the focus to the heading', async () => {
    const { page, link } = await visit(served.app, '/album')
    await link('Part 2')
    await page.getByText('Part 2', { exact: true }).waitFor()
    await expect.poll(() => focused(page)).toBe('Album')
    expect(await isOnBody(page)).toBe(false)
  })
})
