import type { Page } from 'playwright-core'

/** A fault of the user's machine rather than of its network. */
export type MachineFault = {
  /** Prepares the page before the browser loads the first document. */
  readonly prepare?: (page: Page) => Promise<unknown>
  /** Disturbs the page after the click. */
  readonly disturb?: (page: Page) => Promise<unknown>
}

const dayMs = 86_400_000
// Milliseconds for which a page is frozen: longer than a route load may take. Timers don't run in a
// frozen page, so it only notices the time limit afterwards.
const frozenMs = 4_500

/**
 * Faults, keyed by their names, as in `machine:frozen`. Tests also call these functions directly,
 * to choose the time of a fault.
 */
export const machineFaults = {
  // Simulates a tab in the background, or a laptop with a closed lid.
  frozen: { disturb: freeze },
  'clock-forward': { disturb: (page) => shiftClock(page, dayMs) },
  'clock-back': { disturb: (page) => shiftClock(page, -dayMs) },
  'storage-full': { prepare: (page) => page.addInitScript(fillStorage) },
  'storage-forbidden': { prepare: (page) => page.addInitScript(forbidStorage) },
} satisfies Readonly<Record<string, MachineFault>>

async function freeze(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  await new Promise((resolve) => setTimeout(resolve, frozenMs))
  await session.send('Page.setWebLifecycleState', { state: 'active' })
  await session.detach()
}

/** Shifts the clock in the current document and in all that follow. */
const shiftClock = (page: Page, byMs: number) =>
  Promise.all([page.addInitScript(addToNow, byMs), page.evaluate(addToNow, byMs)])

// Playwright runs the functions below inside the page.

function addToNow(byMs: number) {
  const now = Date.now.bind(Date)
  Date.now = () => now() + byMs
}

function fillStorage() {
  Storage.prototype.setItem = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
}

function forbidStorage() {
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
    const get = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    Object.defineProperty(window, name, { get })
  }
}
