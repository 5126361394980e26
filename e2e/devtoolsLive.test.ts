import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { content, openRoots, shortcut, tab } from './harness/devtoolsPanel.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

describeModes('the devtools of a live page', { app: 'live', modes: ['dev'] }, (served) => {
  test('show its subscriptions, why it was rendered again, and if it is current', async () => {
    const { page } = await openPage(served.app)
    await openRoots(page, false)
    const waits = page.waitForResponse((response) => response.url().endsWith('/_waymark/live'))
    await page.goto('/board')
    await waits
    await hydrated(page)
    await page.keyboard.press(shortcut)
    await tab(page, 'Live').click()
    await content(page).getByRole('heading', { name: 'live' }).waitFor()
    await content(page).getByText('1 client waits for changes').waitFor()
    await page.reload()
    await hydrated(page)
    await content(page).getByText('1 client waits for changes').waitFor()
    const rows = content(page).getByRole('row')
    await rows.filter({ hasText: 'the document' }).first().waitFor()

    await fetch(served.url('/api/notes'), { method: 'POST', body: 'by somebody else' })
    await page.getByText('by somebody else').waitFor()
    await rows
      .filter({ hasText: /page data\s*notes/ })
      .first()
      .waitFor()
    await page.getByLabel('Note').fill('by this page')
    await page.getByRole('button', { name: 'Add' }).click()
    await rows
      .filter({ hasText: /its own action\s*notes/ })
      .first()
      .waitFor()

    const renewed = page.waitForResponse((response) => response.url().includes('/data/board'))
    await content(page).getByRole('button', { name: 'notes', exact: true }).click()
    await renewed
    await page.route('**/_waymark/live', (route) => route.abort())
    await page.evaluate(() => dispatchEvent(new Event('offline')))
    await content(page).getByRole('heading', { name: 'behind' }).waitFor()
    await content(page).getByText('behind since').waitFor()
  })

  test('an open row with the focus keeps both when new rows come', async () => {
    const { page } = await openPage(served.app)
    await openRoots(page, false)
    await page.goto('/board')
    await hydrated(page)
    await page.keyboard.press(shortcut)
    await tab(page, 'Arrivals').click()
    const rows = content(page).locator('details')
    await rows.first().getByText('arrived', { exact: true }).waitFor()
    const before = await rows.count()
    await rows.first().locator('summary').click()
    // Change the data from a different page, because a navigation of this page would move the
    // focus.
    const other = await openPage(served.app)
    await other.page.goto('/own')
    await expect.poll(() => rows.count()).toBeGreaterThan(before)
    const isFocused = (row: Element) =>
      (row.getRootNode() as ShadowRoot).activeElement?.parentElement === row
    const opened = content(page).locator('details[open]')
    expect([await opened.count(), await opened.evaluate(isFocused)]).toEqual([1, true])
  })

  test('say if a page is not live, and reveal no names of tags to a browser', async () => {
    const { page } = await openPage(served.app)
    await openRoots(page, false)
    await page.goto('/')
    await page.keyboard.press(shortcut)
    await tab(page, 'Live').click()
    await content(page)
      .getByText("/ is not live, because its components don't follow any tags.")
      .waitFor()
    const html = await (await served.fetch('/board')).text()
    expect(html).toContain('7e000000:')
    expect(html).not.toMatch(/"notes\\*"/)
    const others = { headers: { 'sec-fetch-site': 'cross-site' } }
    expect((await served.fetch('/_waymark/events', others)).status).toBe(403)
  })
})
