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
    await page.goto('/lab/faults')
    await hydrated(page)
    await page.getByLabel('What goes wrong').selectOption(fault)
    await page.getByText('Switched on').waitFor()
    await page.getByRole('link', { name: 'To the target' }).click()
    const seen = page.getByRole('list', { name: 'Requests that were seen' })
    await expect.poll(() => seen.textContent()).toContain(`data: ${fault}`)
    if (outcome === 'is late') await page.locator('[data-waymark-notice]').waitFor()
    else await page.getByRole('heading', { name: 'The target' }).waitFor()
  })
})
