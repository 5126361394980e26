import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { wake } from './wake.ts'

/**
 * Waits until React has taken over the page, which it is made to: React marks the elements that it hydrates, and
 * attaches its effects within the next frames.
 */
export async function hydrated(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      // Before the entry runs, nobody hears of it.
      await wake(page)
      return page.evaluate(() =>
        Object.keys(document.body).some((key) => key.startsWith('__reactFiber')),
      )
    })
    .toBe(true)
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}
