import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { heading, pathOf, visit } from './harness/visit.ts'

describeApp('back and forward', { app: 'navigation' }, (served) => {
  test('show the page as it was left, without a request', async () => {
    const { page, requests, link } = await visit(served.app, '/long')
    const note = page.getByRole('textbox', { name: 'Note' })
    await note.fill('typed')
    await page.evaluate(() => window.scrollTo(0, 2500))
    await page.locator('#box').evaluate((box) => box.scrollTo(0, 333))
    await page.getByRole('link', { name: 'Leave from below' }).dispatchEvent('click')
    await heading(page, 'Alpha').waitFor()
    await page.locator('#own').click()
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await page.goBack()
    await heading(page, 'Long').waitFor()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(2500)
    expect(await page.locator('#box').evaluate((box) => box.scrollTop)).toBe(333)
    expect(await note.inputValue()).toBe('typed')
    await page.goForward()
    await heading(page, 'Alpha').waitFor()
    expect(await page.locator('#own').textContent()).toBe('1')
    expect(requests).toEqual(['/a.rsc'])
    // A link opens a page afresh, so the text that was typed on the earlier visit must not appear.
    await link('Long')
    await heading(page, 'Long').waitFor()
    expect(await note.inputValue()).toBe('')
  })

  test('restore scroll positions in a new document', async () => {
    const { page } = await visit(served.app, '/long')
    await page.evaluate(() => window.scrollTo(0, 1500))
    await page.reload()
    await hydrated(page)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(1500)
    await page.locator('#box').evaluate((box) => box.scrollTo(0, 222))
    await page.goto('/file.txt')
    await page.goBack()
    await heading(page, 'Long').waitFor()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(1500)
    await expect.poll(() => page.locator('#box').evaluate((box) => box.scrollTop)).toBe(222)
  })

  test('win over a pending navigation', async () => {
    const { page, link } = await visit(served.app, '/a')
    await link('Beta')
    await heading(page, 'Beta').waitFor()
    await page.evaluate(() => void window.router.push('/slow?ms=1000'))
    await page.goBack()
    await heading(page, 'Alpha').waitFor()
    await page.waitForTimeout(1200)
    expect(pathOf(page)).toBe('/a')
    await page.goForward()
    await heading(page, 'Beta').waitFor()
  })
})

describeApp('shared layouts', { app: 'navigation' }, (served) => {
  test('layouts stay mounted, pages are new, and templates are mounted again', async () => {
    const { page, link } = await visit(served.app, '/section/1')
    await page.locator('#shared').click()
    await page.locator('#own-1').click()
    expect(await page.locator('#section').textContent()).toBe('/section/1  {"id":"1"} 1 1')
    await link('Two')
    await heading(page, 'Section 2').waitFor()
    expect(await page.locator('#shared').textContent()).toBe('1')
    expect(await page.locator('#section').textContent()).toBe('/section/2  {"id":"2"} 2 2')
    await link('One')
    await heading(page, 'Section 1').waitFor()
    expect(await page.locator('#own-1:visible').textContent()).toBe('0')
    expect(await page.locator('#shared').textContent()).toBe('1')

    await page.evaluate(() => window.router.push('/fresh/1'))
    await page.locator('#template').click()
    await link('Next one')
    await heading(page, 'Fresh 2').waitFor()
    expect(await page.locator('#template:visible').textContent()).toBe('0')
  })

  test('a navigation requests only missing segments', async () => {
    const { page, link } = await visit(served.app, '/section/1')
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.url().includes('/_waymark/data/')),
      link('Two'),
    ])
    // Request the response again, because a response that the browser has read as a stream can't be
    // read here.
    const textOf = async (headers = {}) =>
      (await served.fetch('/_waymark/data/section/2.rsc', { headers })).text()
    const shared = await textOf(request.headers())
    expect(shared).toContain('Section ')
    expect(shared).not.toContain('"One"')
    expect(shared.length).toBeLessThan((await textOf()).length)
  })

  test('a slot shows an intercepted page over the one below, and a reload shows it as a whole', async () => {
    const { page, link } = await visit(served.app, '/gallery')
    await page.locator('#gallery').click()
    await page.getByText('no modal').waitFor()
    await link('Photo 7')
    await heading(page, 'Photo 7 in a modal').waitFor()
    await heading(page, 'Gallery').waitFor()
    expect(pathOf(page)).toBe('/gallery/photo/7')
    expect(await page.locator('#gallery').textContent()).toBe('1')
    await page.goBack()
    await page.getByText('no modal').waitFor()
    expect(await heading(page, 'Photo 7 in a modal').isVisible()).toBe(false)
    await page.goForward()
    await heading(page, 'Photo 7 in a modal').waitFor()
    await page.reload()
    await heading(page, 'Photo 7 as a page').waitFor()
    expect(await heading(page, 'Gallery').count()).toBe(0)
  })
})

describeApp('interception', { app: 'navigation' }, (served) => {
  test('depends on the current page, not on the first one', async () => {
    const { page, link } = await visit(served.app, '/a')
    await page.evaluate(() => window.router.push('/gallery'))
    await link('Photo 7')
    await heading(page, 'Photo 7 in a modal').waitFor()
    await page.evaluate(() => window.router.push('/a'))
    await page.evaluate(() => window.router.push('/gallery/photo/7'))
    await heading(page, 'Photo 7 as a page').waitFor()
  })
})

describeApp('arriving on a page', { app: 'navigation' }, (served) => {
  test('moves focus to the heading and announces the title', async () => {
    const { page } = await visit(served.app, '/')
    await page.getByRole('link', { name: 'Alpha' }).focus()
    await page.keyboard.press('Enter')
    await heading(page, 'Alpha').waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toBe('Alpha')
    expect(await page.locator('[aria-live=polite]').textContent()).toBe('Alpha | Navigation')
    await page.goBack()
    await heading(page, 'Home').waitFor()
    await expect.poll(() => page.locator('[aria-live=polite]').textContent()).toBe('Home')
    // The focus is on the heading, so the Tab key continues from there, within the page.
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('By parts')
  })

  test('streams slow parts after the page is shown', async () => {
    const { page, link } = await visit(served.app, '/')
    await link('Parts')
    await heading(page, 'Parts').waitFor()
    await page.getByText('second is coming').waitFor()
    await page.getByText('first came').waitFor()
    await page.getByText('second came').waitFor()
  })

  test('a transition of the app that never ends delays no navigation', async () => {
    const { page, link } = await visit(served.app, '/busy')
    await page.locator('#busy').click()
    await page.getByText('busy for ever').waitFor()
    await link('Alpha')
    await heading(page, 'Alpha').waitFor()
    await page.goBack()
    await heading(page, 'Busy').waitFor()
  })
})
