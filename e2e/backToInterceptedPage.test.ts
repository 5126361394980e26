import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { heading, pathOf, visit } from './harness/visit.ts'

describeApp('back to an unmounted page in a modal', { app: 'slots' }, (served) => {
  async function openModal(): Promise<Page> {
    const { page, link } = await visit(served.app, '/gallery')
    await link('Photo 7')
    await heading(page, 'Photo 7 in a modal').waitFor()
    return page
  }
  async function expectOverGallery(page: Page): Promise<void> {
    await heading(page, 'Photo 7 in a modal').waitFor()
    await heading(page, 'Gallery').waitFor()
    expect(pathOf(page)).toBe('/gallery/photo/7')
    expect(await heading(page, 'Open').isVisible()).toBe(false)
    await page.goBack()
    await page.getByText('no modal').waitFor()
    expect([pathOf(page), await heading(page, 'Gallery').isVisible()]).toEqual(['/gallery', true])
  }

  test('opens it over the same page as before, after a reload', async () => {
    const page = await openModal()
    await page.evaluate(() => window.router.push('/open'))
    await heading(page, 'Open').waitFor()
    await page.reload()
    await page.waitForFunction(() => 'router' in window)
    await page.goBack()
    await expectOverGallery(page)
  })

  test('opens it there if more pages were visited than stay mounted', async () => {
    const page = await openModal()
    for (let at = 0; at < 7; at++) {
      await page.evaluate((path) => window.router.push(path), `/open?at=${at}` as '/open')
    }
    await page.evaluate(() => history.go(-7))
    await expectOverGallery(page)
  })

  test('a reload of its own address shows the whole page, even after going back to it', async () => {
    const page = await openModal()
    await page.reload()
    await page.waitForFunction(() => 'router' in window)
    const fullPage = heading(page, 'Photo 7 as a page')
    await fullPage.waitFor()
    await page.evaluate(() => window.router.push('/open'))
    await heading(page, 'Open').waitFor()
    await page.reload()
    await page.waitForFunction(() => 'router' in window)
    await page.goBack()
    await fullPage.waitFor()
    expect(await heading(page, 'Gallery').isVisible()).toBe(false)
  })

  test('going forward to it shows the whole page, too, once it was reloaded', async () => {
    const page = await openModal()
    const reload = async () => {
      await page.reload()
      await page.waitForFunction(() => 'router' in window)
    }
    await reload()
    const fullPage = heading(page, 'Photo 7 as a page')
    await fullPage.waitFor()
    await page.goBack()
    await heading(page, 'Gallery').waitFor()
    await reload()
    await page.goForward()
    await fullPage.waitFor()
    expect(pathOf(page)).toBe('/gallery/photo/7')
    expect(await heading(page, 'Photo 7 in a modal').count()).toBe(0)
    expect(await heading(page, 'Gallery').isVisible()).toBe(false)
  })
})

describeApp('back to an unmounted page that streams', { app: 'navigation' }, (served) => {
  const scrolled = (page: Page) => page.evaluate(() => Math.round(window.scrollY))
  async function leave(): Promise<Page> {
    const { page } = await visit(served.app, '/feed')
    await page.getByText('last', { exact: true }).waitFor()
    await page.evaluate(() => window.scrollTo(0, 3000))
    await page.evaluate(() => window.router.push('/a'))
    await heading(page, 'Alpha').waitFor()
    await page.reload()
    await page.waitForFunction(() => 'router' in window)
    return page
  }

  describe('its scroll position', () => {
    test('is restored while the page streams', async () => {
      const page = await leave()
      await page.goBack()
      await page.getByText('last', { exact: true }).waitFor()
      await expect.poll(() => scrolled(page)).toBe(3000)
    })

    test.each(['a wheel', 'a key'])('is left alone once a person scrolls, by %s', async (by) => {
      const page = await leave()
      await page.goBack()
      await page.getByText('first', { exact: true }).waitFor()
      if (by === 'a wheel') await page.mouse.wheel(0, -700)
      else await page.keyboard.press('Home')
      await page.getByText('last', { exact: true }).waitFor()
      await page.waitForTimeout(500)
      expect(await scrolled(page)).toBeLessThan(2000)
    })
  })
})
