import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { holdScripts } from './harness/holdScripts.ts'
import { hydratedElement, openPage } from './harness/page.ts'

// A click before hydration makes the browser post the form. The document of the response hydrates
// later.
describeModes('forms that are sent before hydration', { app: 'actions' }, (served) => {
  /** Opens a page whose scripts wait until the test releases them. */
  async function visit(path: string) {
    const opened = await openPage(served.app)
    const release = await holdScripts(opened.page)
    await opened.page.goto(path, { waitUntil: 'commit' })
    return { ...opened, release }
  }

  test('keep their state through hydration, and continue from there', async () => {
    const { page, release, expectQuietConsole } = await visit('/state')
    await page.fill('#step', '5')
    await page.click('#add')
    await expect.poll(() => page.textContent('#total')).toBe('15')
    release()
    await hydratedElement(page.locator('#add'))
    expect(await page.textContent('#total')).toBe('15')
    await page.click('#add')
    await expect.poll(() => page.textContent('#total')).toBe('16')
    expectQuietConsole()
  })

  test('keep the message about invalid input, and the input', async () => {
    const { page, release, expectQuietConsole } = await visit('/signup')
    await page.fill('#hobby', 'chess')
    await page.click('#send')
    await expect.poll(() => page.textContent('#name-error')).toBe('A name is needed.')
    release()
    await hydratedElement(page.locator('#send'))
    expect(await page.textContent('#name-error')).toBe('A name is needed.')
    expect(await page.inputValue('#hobby')).toBe('chess')
    await page.fill('#name', 'Ada')
    await page.click('#send')
    await expect.poll(() => page.textContent('#welcome')).toBe('Ada')
    expectQuietConsole([/422 \(Unprocessable/])
  })
})
