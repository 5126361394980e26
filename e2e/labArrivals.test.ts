import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

const list = 'Loads of this document'

describeModes('the lab of arrivals', { app: 'site', modes: ['production'] }, (served) => {
  test.each(['light', 'dark'] as const)('shows loads when they end, %s', async (colorScheme) => {
    const { page, expectQuietConsole } = await openPage(served.app, { colorScheme })
    await page.goto('/lab/arrivals')
    await hydrated(page)
    const arrivals = page.getByRole('list', { name: list }).getByRole('listitem')
    await expect.poll(() => arrivals.count()).toBe(1)
    expect(await arrivals.first().textContent()).toMatch(/^\/lab\/arrivalspagedocument, .+ms$/)
    await page.getByRole('link', { name: 'another page' }).click()
    await page.getByRole('heading', { name: 'Streaming', level: 1 }).waitFor()
    await page.goBack()
    await expect.poll(() => arrivals.count()).toBe(3)
    const texts = await arrivals.allTextContents()
    expect(texts[0]).toMatch(/^\/lab\/arrivalspagetraverse/)
    expect(texts[1]).toMatch(/^\/lab\/streamingpagepush/)
    await page.setViewportSize({ width: 375, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
    expectQuietConsole()
  })
})

describeModes('the lab of arrivals', { app: 'site', modes: ['dev'] }, (served) => {
  test('is empty in development, and says why', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/lab/arrivals')
    await hydrated(page)
    await page.getByText('No loads yet.').waitFor()
    await page.getByText('builds count loads').waitFor()
    expect(await page.getByRole('list', { name: list }).count()).toBe(0)
  })
})
