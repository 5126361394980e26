import type { Page } from 'playwright-core'

declare global {
  interface Window {
    frameThemes?: Set<string>
  }
}

/**
 * Makes every page record its colour scheme before each frame, because a screenshot might miss a
 * flash that lasts one frame.
 */
export async function noteFrameThemes(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = new Set<string>()
    window.frameThemes = seen
    const note = () => {
      const html = document.documentElement
      if (html) seen.add(getComputedStyle(html).colorScheme)
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })
}

/** Returns the colour schemes that the current page has had in any frame since it loaded. */
export async function frameThemes(page: Page): Promise<string[]> {
  return page.evaluate(() => [...(window.frameThemes ?? [])])
}
