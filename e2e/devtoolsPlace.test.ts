import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { openRoots, shortcut, tab } from './harness/devtoolsPanel.ts'
import { openPage } from './harness/page.ts'

describeModes('the panel of the devtools', { app: 'dev', modes: ['dev'] }, (served) => {
  test('can be docked beside the page and reduced to its tabs, and stays so', async () => {
    const { page, expectQuietConsole } = await openPage(served.app)
    await openRoots(page, true)
    await page.goto('/')
    await page.keyboard.press(shortcut)
    const panel = page.getByRole('dialog', { name: 'Waymark devtools' })
    const box = async () => (await panel.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    expect((await box()).x).toBeLessThan(200)
    await panel.getByRole('button', { name: 'Dock beside the page' }).click()
    await expect.poll(async () => (await box()).x).toBeGreaterThan(700)
    const { width } = await box()
    await panel.getByRole('separator').focus()
    await page.keyboard.press('ArrowLeft')
    expect((await box()).width).toBe(width + 32)
    const { x, y } = await box()
    await page.mouse.move(x + 3, y + 300)
    await page.mouse.down()
    await page.mouse.move(x - 97, y + 300)
    await page.mouse.up()
    expect(Math.round((await box()).width - width)).toBeGreaterThan(120)
    await panel.getByRole('button', { name: 'Collapse to the tabs' }).click()
    expect((await box()).height).toBeLessThan(100)
    await page.reload()
    await panel.getByRole('button', { name: 'Expand' }).waitFor()
    expect((await box()).height).toBeLessThan(100)
    // Clicking a tab expands the collapsed panel and shows the tab's content.
    await tab(page, 'Cache').click()
    expect((await box()).height).toBeGreaterThan(400)
    await panel.getByRole('button', { name: 'Dock below the page' }).click()
    await expect.poll(async () => (await box()).x).toBeLessThan(200)
    expectQuietConsole()
  })

  test('fits a narrow window, including its close button', async () => {
    const { page } = await openPage(served.app, { viewport: { width: 360, height: 700 } })
    await openRoots(page, true)
    await page.goto('/')
    await page.keyboard.press(shortcut)
    const close = page.getByRole('button', { name: 'Close (Escape)' })
    const { x = 0, width = 0 } = (await close.boundingBox()) ?? {}
    expect(x + width).toBeLessThanOrEqual(360)
    expect(width).toBeGreaterThan(0)
  })
})
