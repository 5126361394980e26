import { expect, test } from 'vitest'
import { describeApp } from './harness/describeModes.ts'
import { documentId, heading, pathOf, visit } from './harness/visit.ts'

describeApp('a modal that stays in its slot beside another page', { app: 'slots' }, (served) => {
  async function keepModal() {
    const opened = await visit(served.app, '/gallery')
    const { page, link } = opened
    await link('Photo 7')
    const modal = heading(page, 'Photo 7 in a modal')
    await modal.waitFor()
    await page.evaluate(() => window.router.push('/gallery/about'))
    await heading(page, 'About').waitFor()
    expect([pathOf(page), await modal.isVisible()]).toEqual(['/gallery/about', true])
    const renderings = () => page.locator('.renderings:visible').textContent()
    return { ...opened, modal, renderings }
  }

  test('is fetched again by refresh()', async () => {
    const { page, modal, renderings, first } = await keepModal()
    const before = await renderings()
    expect(await page.evaluate(() => window.router.refresh())).toBe('committed')
    await expect.poll(renderings).not.toBe(before)
    const after = await renderings()
    expect(await page.evaluate(() => window.router.refresh())).toBe('committed')
    await expect.poll(renderings).not.toBe(after)
    expect([await modal.isVisible(), await heading(page, 'About').isVisible()]).toEqual([
      true,
      true,
    ])
    expect(await documentId(page)).toBe(first)
  })

  test('is fetched again after an action that revalidates', async () => {
    const { page, modal, renderings } = await keepModal()
    const before = await renderings()
    await page.getByRole('button', { name: 'Revalidate' }).click()
    await expect.poll(renderings).not.toBe(before)
    expect([await modal.isVisible(), await heading(page, 'About').isVisible()]).toEqual([
      true,
      true,
    ])
  })

  test('is fetched again by a navigation, if an action has redirected', async () => {
    const { page, modal, renderings } = await keepModal()
    const before = await renderings()
    await page.getByRole('button', { name: 'Move' }).click()
    await heading(page, 'Moved').waitFor()
    await expect.poll(renderings).not.toBe(before)
    expect(await modal.isVisible()).toBe(true)
  })
})
