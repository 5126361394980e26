import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { pathOf, visit } from './harness/visit.ts'

/** Slows the page's main thread down, like an inexpensive phone. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
}

function caretOf(field: Locator): Promise<number | null> {
  return field.evaluate((element) => (element as HTMLInputElement).selectionStart)
}

describeModes('a field that shows a search parameter', { app: 'navigation' }, (served) => {
  test('keeps its caret in the middle of its text', async () => {
    const { page, requests, expectQuietConsole } = await visit(served.app, '/filter?text=hello')
    const field = page.getByLabel('Filter')
    await field.press('Home')
    await field.press('ArrowRight')
    await field.press('ArrowRight')
    await page.keyboard.type('XYZ')
    expect([await field.inputValue(), await caretOf(field)]).toEqual(['heXYZllo', 5])
    expect(pathOf(page)).toBe('/filter?text=heXYZllo')
    expect(requests).toEqual([])
    expectQuietConsole()
  })

  test('loses no letters on a slow device', async () => {
    const { page } = await visit(served.app, '/filter')
    await slowDown(page)
    const text = 'the quick brown fox jumps over the lazy dog'
    await page.getByLabel('Filter').pressSequentially(text, { delay: 10 })
    expect(await page.getByLabel('Filter').inputValue()).toBe(text)
    expect(new URL(page.url()).searchParams.get('text')).toBe(text)
  })
})
