import type { Page } from 'playwright-core'

declare global {
  interface Window {
    frameThemes?: Set<string>
  }
}

/**
 * Makes every page note its colour scheme before each frame: a flash of one frame is in no
 * screenshot for certain.
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

/** The colour schemes that the page's frames have had since it was loaded. */
export async function frameThemes(page: Page): Promise<string[]> {
  return page.evaluate(() => [...(window.frameThemes ?? [])])
}
