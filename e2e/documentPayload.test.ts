import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'

const modes = ['production'] as const

describeModes('a document with its payload', { app: 'plain', modes }, (served) => {
  test('is hydrated with the same elements, and a refresh changes none of them', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    const data: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/_waymark/data/')) data.push(new URL(request.url()).pathname)
    })
    await page.goto('/listed')
    await page.locator('ul').evaluate((list) => {
      const link = list.querySelectorAll('a')[12] as HTMLElement
      Object.assign(self, { link, list })
      link.focus()
      list.scrollTop = 90
      getSelection()?.selectAllChildren(list.children[13] as Element)
    })
    const state = () =>
      page.evaluate(() => {
        const { link, list } = self as unknown as { link: Element; list: Element }
        const isSame = list === document.querySelector('ul') && list.contains(link)
        const isFocused = document.activeElement === link
        return [isSame, isFocused, list.scrollTop, String(getSelection())]
      })
    const before = [true, true, 90, 'Entry 13, one of several & "alike"']
    const lastEntry = page.locator('li').last()
    const rendered = await lastEntry.textContent()
    await hydratedElement(page.getByRole('button'))
    expect([await state(), data]).toEqual([before, []])
    // Call `click()` on the element, because a real click would move the focus.
    await page.getByRole('button').evaluate((button: HTMLElement) => button.click())
    await page.getByRole('button', { name: 'refreshed 1' }).waitFor()
    expect(data).toEqual(['/_waymark/data/listed.rsc'])
    await expect.poll(() => lastEntry.textContent()).not.toBe(rendered)
    expect(await state()).toEqual(before)
    expectQuietConsole()
  })

  test.each([
    ['a word of it', 'one of several', 'una de varias'],
    ['a text as translators do', 'one of several', '<font><font>una de varias</font></font>'],
    ['an attribute of it', 'title="Entry 3"', 'title="Entry 3" data-marked="yes"'],
    ['what stands after it', '</article>', '<ul><li>advertisement</li></ul></article>'],
  ])('works if somebody has changed %s', async (_, from, to) => {
    const { page } = await openPage(served.app)
    const data: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/_waymark/data/')) data.push(new URL(request.url()).pathname)
    })
    await page.route('**/listed', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace(from, to) })
    })
    await page.goto('/listed')
    await hydratedElement(page.getByRole('button'))
    expect(data).toEqual([])
    await page.getByRole('button').click()
    await page.getByRole('button', { name: 'refreshed 1' }).waitFor()
    expect(await page.getByRole('link', { name: /^Entry/ }).count()).toBe(20)
  })
})

describeModes('content with the id of one of our globals', { app: 'plain', modes }, (served) => {
  test.each([
    ['/listed', '<article', /^refreshed 0/, 'refreshed 1'],
    ['/lively', '<h1', /^pressed 0/, 'pressed 1'],
  ])('does not break hydration of %s', async (path, from, button, after) => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await page.route(`**${path}`, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(from, `${from} id="__waymark"`)
      await route.fulfill({ response, body })
    })
    await page.goto(path)
    await (await hydratedElement(page.getByRole('button', { name: button }))).click()
    await page.getByRole('button', { name: after }).waitFor()
    expectQuietConsole()
  })
})
