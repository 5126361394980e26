import type { Page } from 'playwright-core'

/**
 * Waits until React has taken over the page: React marks the elements that it hydrates, and
 * attaches its effects within the next frames.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.body).some((key) => key.startsWith('__reactFiber')),
  )
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}
