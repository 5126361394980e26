import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { wake } from './wake.ts'

/**
 * True if React has hydrated the document. React leaves a mark on the elements that it hydrates.
 */
export const isHydrated = (page: Page) =>
  page.evaluate(() => Object.keys(document.body).some((key) => key.startsWith('__reactFiber')))

/**
 * Makes a page load React, and waits until React has hydrated the page and has attached its
 * effects, which takes a few frames.
 */
export async function hydrated(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      // Repeat the event that loads React, because nothing listens for it until the entry has run.
      await wake(page)
      return isHydrated(page)
    })
    .toBe(true)
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}
