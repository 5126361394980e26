import type { BrowserContext, Page } from 'playwright-core'
import type { FaultProxy } from '../faults/proxy.ts'
import { hydrated } from '../hydrated.ts'
import { heading } from '../visit.ts'
import type { Ledger } from './ledger.ts'

/** Headings of the pages that a walker visits. */
const headings: Readonly<Record<string, string>> = {
  '/': 'Home',
  '/a': 'Alpha',
  '/b': 'Beta',
  '/long': 'Long',
  '/leap': 'Leap',
}

export type WalkerOptions = {
  readonly context: BrowserContext
  /** Proxy in front of the app, which only this walker uses. */
  readonly proxy: FaultProxy
  readonly ledger: Ledger
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number
}

export type Tab = ReturnType<typeof createTab>

/** Creates a walker's tab, with functions that act in the tab and read its content. */
export function createTab({ context, proxy, ledger, random }: WalkerOptions) {
  let page: Page
  let at = ''

  /** Returns a random page that is neither the current page nor excluded. */
  function another(except: readonly string[] = []): string {
    const others = ['/', '/a', '/b', '/long'].filter((path) => ![at, ...except].includes(path))
    return others[Math.floor(random() * others.length)] ?? '/'
  }

  async function begin(path: string): Promise<void> {
    // If a screen was shown, its document may still be loading.
    await page.waitForFunction(() => 'router' in window)
    await page.evaluate((href) => void window.router.push(href as '/a'), path)
  }

  /** Waits until the page of a path has loaded, and records how the load ended. */
  async function arrive(path: string, before: Seen | null): Promise<void> {
    await heading(page, headings[path] ?? '').waitFor({ timeout: 40_000 })
    await hydrated(page)
    await page.waitForFunction(() => 'router' in window)
    const now = await look(page)
    const hadNotice = now.notices > (before?.notices ?? 0)
    const isDocument = now.documentId !== before?.documentId
    ledger.did(path, hadNotice ? 'notice' : 'page', { isDocument })
    at = path
  }

  async function open(before: Seen | null): Promise<void> {
    const path = another()
    await page.goto(proxy.origin + path)
    await arrive(path, before && { ...before, documentId: 0 })
  }

  return {
    another,
    begin,
    arrive,
    /** Returns the path to which the last load has led, or the name of a screen. */
    at: () => at,
    hasScreen: () => !(at in headings),
    look: () => look(page),
    now: () => page,
    async push(path: string) {
      const before = await look(page)
      await begin(path)
      await arrive(path, before)
    },
    openAgain: async () => open(await look(page)),
    async reopen() {
      await page?.close({ runBeforeUnload: false })
      proxy.clear()
      page = await context.newPage()
      await open(null)
    },
    close: () => page.close({ runBeforeUnload: false }),
    /** Sets the current page after a screen, because the next load starts on the screen. */
    setAt(path: string): void {
      at = path
    },
  }
}

/**
 * Waits until a page has loaded the code that counts loads, which happens when the page is idle,
 * and has sent its first report.
 */
export async function counted(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isPainted = performance.getEntriesByName('first-contentful-paint').length > 0
    const resources = performance.getEntriesByType('resource')
    // The storage contains beacons that an earlier page could not send.
    const isSent = localStorage.getItem('waymark-arrivals') === null
    // The recorder loads the code for vitals last, so everything before it has loaded as well.
    return isPainted && isSent && resources.some(({ name }) => /vitals-/.test(name))
  })
  // Wait for the recorder's observer of paints.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
}

type Seen = { readonly documentId: number; readonly notices: number }

/** Returns the current document's id, and the number of notices that this tab has shown. */
function look(page: Page): Promise<Seen> {
  return page.evaluate(() => ({
    documentId: performance.timeOrigin,
    notices: Number(sessionStorage.getItem('notices')),
  }))
}

/** Counts the notices that appear in a tab. Runs in each document of the tab. */
export function noteNotices(): void {
  let isVisible = false
  new MutationObserver(() => {
    const wasVisible = isVisible
    const text = document.querySelector('[data-waymark-notice]')?.textContent ?? ''
    // Ignore a notice about missing code, because it isn't about a load.
    isVisible = text !== '' && !text.startsWith('Part of this page')
    if (!isVisible || wasVisible) return
    sessionStorage.setItem('notices', String(Number(sessionStorage.getItem('notices')) + 1))
  }).observe(document, { childList: true, subtree: true })
}
