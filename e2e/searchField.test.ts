import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { openPage } from './harness/page.ts'
import { heading, pathOf, visit } from './harness/visit.ts'

/** Slows the page's main thread down to the speed of an inexpensive phone. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
}

function caretOf(field: Locator): Promise<number | null> {
  return field.evaluate((element) => (element as HTMLInputElement).selectionStart)
}

describeApp('a field that shows a search parameter', { app: 'navigation' }, (served) => {
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

describeApp('SearchField', { app: 'navigation' }, (served) => {
  test('searches after a pause, and keeps the caret, the focus and other parameters', async () => {
    const { page, expectQuietConsole } = await visit(served.app, '/find?sort=name&page=2&text=o')
    const field = page.getByLabel('Find trees')
    await field.press('Home')
    await page.keyboard.type('pine')
    await field.press('Delete')
    await expect.poll(() => resultsOf(page)).toEqual(['pine'])
    expect(pathOf(page)).toBe('/find?sort=name&text=pine')
    await field.press('ArrowLeft')
    await page.keyboard.type('XY')
    await expect.poll(() => resultsOf(page)).toEqual([])
    expect([await field.inputValue(), await caretOf(field)]).toEqual(['pinXYe', 5])
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    expectQuietConsole()
  })

  test('keeps letters that are typed while results arrive, on a slow device', async () => {
    const { page, requests } = await visit(served.app, '/find')
    await slowDown(page)
    const field = page.getByLabel('Find trees')
    await field.pressSequentially('o', { delay: 10 })
    await expect.poll(() => requests.length).toBe(1)
    await field.pressSequentially('ak table for a garden', { delay: 40 })
    expect(await field.inputValue()).toBe('oak table for a garden')
    await expect.poll(() => pathOf(page)).toBe('/find?text=oak+table+for+a+garden')
    expect(await field.inputValue()).toBe('oak table for a garden')
  })

  test('shows the results of the last text if responses arrive out of order', async () => {
    const { page, requests } = await visit(served.app, '/find')
    const field = page.getByLabel('Find trees')
    for (const [index, letter] of ['o', 'l', 'i'].entries()) {
      await field.press(letter)
      await expect.poll(() => requests.length).toBe(index + 1)
    }
    await expect.poll(() => resultsOf(page)).toEqual(['olive'])
    // The responses to "o" and "ol" would take 600 and 300 ms.
    await page.waitForTimeout(700)
    expect([await resultsOf(page), pathOf(page), await field.inputValue()]).toEqual([
      ['olive'],
      '/find?text=oli',
      'oli',
    ])
  })

  test('waits for the end of a composition', async () => {
    const { page, requests } = await visit(served.app, '/find')
    const field = page.getByLabel('Find trees')
    const session = await page.context().newCDPSession(page)
    await field.focus()
    for (const text of ['お', 'おー', 'おーく']) {
      await session.send('Input.imeSetComposition', { text, selectionStart: 3, selectionEnd: 3 })
      await page.waitForTimeout(400)
    }
    expect([requests, await field.inputValue()]).toEqual([[], 'おーく'])
    await session.send('Input.insertText', { text: 'オーク' })
    await expect.poll(() => new URL(page.url()).searchParams.get('text')).toBe('オーク')
    expect(await field.inputValue()).toBe('オーク')
  })

  test('shows the text of the page after a link, back and forward', async () => {
    const { page, link } = await visit(served.app, '/find')
    const field = page.getByLabel('Find trees')
    await field.fill('oak')
    await expect.poll(() => resultsOf(page)).toEqual(['oak', 'oak table'])
    await link('Olives')
    await expect.poll(() => field.inputValue()).toBe('olive')
    await page.goBack()
    await expect.poll(() => field.inputValue()).toBe('oak')
    expect(await resultsOf(page)).toEqual(['oak', 'oak table'])
    await page.goForward()
    await expect.poll(() => field.inputValue()).toBe('olive')
  })

  test('makes no history entries while the user types, and searches at once on Enter', async () => {
    const { page } = await visit(served.app, '/a')
    await page.evaluate(() => window.router.push('/find'))
    const field = page.getByLabel('Find trees')
    await field.fill('mapl')
    await expect.poll(() => resultsOf(page)).toEqual(['maple'])
    await field.pressSequentially('e')
    await field.press('Enter')
    await expect.poll(() => pathOf(page)).toBe('/find?text=maple')
    await page.goBack()
    await heading(page, 'Alpha').waitFor()
  })

  test('gives way to a link that is clicked during the pause', async () => {
    const { page, link } = await visit(served.app, '/find')
    await page.getByLabel('Find trees').pressSequentially('o')
    await link('Alpha')
    await heading(page, 'Alpha').waitFor()
    await page.waitForTimeout(600)
    expect(pathOf(page)).toBe('/a')
  })

  test('works without JavaScript', async () => {
    const { page } = await openPage(served.app, { javaScriptEnabled: false })
    await page.goto('/find?sort=name&page=2&text=oak')
    expect(await page.getByLabel('Find trees').inputValue()).toBe('oak')
    await page.getByLabel('Find trees').fill('olive')
    await page.getByRole('button', { name: 'Find' }).click()
    // If the results are late, the document leads to one that is complete, so read it repeatedly.
    await expect.poll(() => resultsOf(page)).toEqual(['olive'])
    expect(pathOf(page)).toMatch(/^\/find\?text=olive&sort=name/)
  })
})

function resultsOf(page: Page): Promise<string[]> {
  return page.locator('#found:visible li').allTextContents()
}
