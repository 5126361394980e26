import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { wake } from './wake.ts'

/** True if React has hydrated the document, because React marks the elements that it hydrates. */
export const isHydrated = (page: Page) =>
  page.evaluate(() => Object.keys(document.body).some((key) => key.startsWith('__reactFiber')))

/**
 * Makes a page load React, and waits until React has hydrated it. React attaches effects within the
 * next frames.
 */
export async function hydrated(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      // Before the entry runs, nothing listens for the event that loads React.
      await wake(page)
      return isHydrated(page)
    })
    .toBe(true)
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}
