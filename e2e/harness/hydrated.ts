import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { wake } from './wake.ts'

/** True if React has hydrated the document: React marks the elements that it hydrates. */
export const isHydrated = (page: Page) =>
  page.evaluate(() => Object.keys(document.body).some((key) => key.startsWith('__reactFiber')))

/**
 * Waits until React has taken over the page, which it is made to: React attaches its effects within the frames after
 * that.
 */
export async function hydrated(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      // Before the entry runs, nobody hears of it.
      await wake(page)
      return isHydrated(page)
    })
    .toBe(true)
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}
