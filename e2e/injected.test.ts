import { describe, expect, test } from 'vitest'
import { forgeries } from './fixtures/injected/app/_lib/forgeries.ts'
import { describeModes } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { heading } from './harness/visit.ts'

declare global {
  interface Window {
    forged?: string
    own?: number
    isFirst?: boolean
  }
}

describeModes('HTML of an attacker', { app: 'injected' }, (served) => {
  describe.each(['whole', 'streamed', 'static', 'partial'])('in a page that is %s', (kind) => {
    test.each(Object.keys(forgeries))('is no %s', async (forgery) => {
      const { page } = await openPage(served.app)
      await page.goto(`/${kind}/${forgery}`)
      await page.evaluate(() => {
        window.isFirst = true
      })
      await heading(page, kind[0]?.toUpperCase() + kind.slice(1)).waitFor()
      const counters = page.locator('#count')
      if (kind === 'streamed' || kind === 'partial') await page.locator('#late #count').waitFor()
      for (const counter of await counters.all()) {
        await hydratedElement(counter)
        await counter.click()
        await expect.poll(() => counter.textContent()).toBe('count 1')
      }
      await expect.poll(() => page.evaluate(() => window.own)).toBe(1)
      await page.getByRole('link', { name: 'Other' }).click()
      await heading(page, 'Other').waitFor()
      expect(await page.evaluate(() => [window.isFirst, window.forged])).toEqual([true, undefined])
    })
  })
})
