import type { Page } from 'playwright-core'

/** What the machine of a browser does to a page, beside what its network does. */
export type MachineFault = {
  /** Before the first document of the page. */
  readonly prepare?: (page: Page) => Promise<unknown>
  /** Once somebody has clicked. */
  readonly disturb?: (page: Page) => Promise<unknown>
}

const dayMs = 86_400_000
// Longer than the limit of a route load: a page that counts by timers has counted nothing.
const frozenMs = 4_500

/** By the names of faults (`machine:frozen`), for tests that choose the moment themselves. */
export const machineFaults = {
  // A tab in the background, or a lid that was closed.
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

/** For the document of a page, and for each that follows. */
const shiftClock = (page: Page, byMs: number) =>
  Promise.all([page.addInitScript(addToNow, byMs), page.evaluate(addToNow, byMs)])

// These run in the page.

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
