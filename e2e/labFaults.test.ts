import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

describeModes('the lab of faults', { app: 'site', modes: ['production'] }, (served) => {
  test.each([
    ['Ends in the middle, cleanly', 'arrives'],
    ['502 of a gateway', 'arrives'],
    ['Never answers', 'is late'],
  ])('%s: the target %s', async (fault, outcome) => {
    const { page } = await openPage(served.app)
    // The page's own list of them goes with its document.
    const disturbed: string[] = []
    await page.exposeFunction('tellDisturbed', (kind: string) => disturbed.push(kind))
    await page.addInitScript(() => {
      const { tellDisturbed } = window as unknown as { tellDisturbed(kind: string): void }
      navigator.serviceWorker.addEventListener('message', ({ data }) => {
        if (data.fault !== 'none') tellDisturbed(data.kind)
      })
    })
    await page.goto('/lab/faults')
    await hydrated(page)
    await page.getByLabel('What goes wrong').selectOption(fault)
    await page.getByText('Switched on').waitFor()
    await page.getByRole('link', { name: 'To the target' }).click()
    await expect.poll(() => disturbed).toContain('data')
    if (outcome === 'is late') await page.locator('[data-waymark-notice]').waitFor()
    else await page.getByRole('heading', { name: 'The target' }).waitFor()
  })

  test('prefetches can be disturbed, and watched', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/lab/faults/prefetch')
    await hydrated(page)
    const more = page.getByRole('button', { name: 'more links' })
    await page.getByLabel('Prefetches').check()
    await page.getByLabel('What goes wrong').selectOption('“Not now”, for 5 s')
    await page.getByText('Switched on').waitFor()
    await more.click()
    const told = page.getByText('Fetched ahead, with the worker looking on')
    await expect.poll(() => told.textContent()).toMatch(/on: [1-4], of them disturbed: [1-4]/)
    const asked = await told.textContent()
    await more.click()
    await page.waitForTimeout(300)
    expect(await told.textContent()).toBe(asked)
    await page.getByRole('link', { name: '12', exact: true }).click()
    await page.getByRole('heading', { name: 'The still target' }).waitFor()
  })
})
