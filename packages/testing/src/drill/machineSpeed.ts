import type { Browser } from 'playwright-core'

/** Milliseconds in which a machine that isn't busy opens a small page in a new browser context. */
const usualMs = 300

/** A slower machine can't be measured in a useful time. */
const maxSlowdown = 10

/**
 * Measures how much slower than usual this machine opens small pages, in as many contexts at the
 * same time as the drill uses. The pages don't come from the app.
 * @returns a factor for time limits, from 1 to 10
 */
export async function measureSlowdown(browser: Browser, lanes: number): Promise<number> {
  // The first context takes longer, because the browser starts its processes.
  await openSmallPage(browser)
  const times = await Promise.all(Array.from({ length: lanes }, () => openSmallPage(browser)))
  return slowdownOf(Math.max(...times))
}

/** @param ms milliseconds in which the machine opened a small page */
export function slowdownOf(ms: number): number {
  return Math.min(maxSlowdown, Math.max(1, Math.round((10 * ms) / usualMs) / 10))
}

/**
 * True if the machine has become so busy during a drill that a load without an outcome says nothing
 * about the app.
 * @param assumed the slowdown that the drill's time limits allow for
 */
export async function isTooBusy(browser: Browser, assumed: number): Promise<boolean> {
  return slowdownOf(await openSmallPage(browser)) >= 2 * assumed
}

async function openSmallPage(browser: Browser): Promise<number> {
  const beganMs = performance.now()
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto('data:text/html,<p>ready')
    await page.evaluate(() => new Promise(requestAnimationFrame))
    return performance.now() - beganMs
  } catch {
    // Playwright gave up after 30 s.
    return Number.POSITIVE_INFINITY
  } finally {
    await context.close().catch(() => {})
  }
}
