import type { BrowserContext, Page } from 'playwright-core'
import type { FaultProxy } from '../faults/proxy.ts'
import { hydrated } from '../hydrated.ts'
import { heading } from '../visit.ts'
import type { Ledger } from './ledger.ts'

/** Headings of the pages in the walk. */
const headings: Readonly<Record<string, string>> = {
  '/': 'Home',
  '/a': 'Alpha',
  '/b': 'Beta',
  '/long': 'Long',
  '/leap': 'Leap',
}

export type WalkerOptions = {
  readonly context: BrowserContext
  /** The proxy of this walker. */
  readonly proxy: FaultProxy
  readonly ledger: Ledger
  /** Returns a number from 0 up to 1, without 1. */
  readonly random: () => number
}

export type Tab = ReturnType<typeof createTab>

/** Creates the tab of a walker, with functions that act in it and read what it shows. */
export function createTab({ context, proxy, ledger, random }: WalkerOptions) {
  let page: Page
  let at = ''

  /** A random page among the pages with a heading. */
  function another(except: readonly string[] = []): string {
    const others = ['/', '/a', '/b', '/long'].filter((path) => ![at, ...except].includes(path))
    return others[Math.floor(random() * others.length)] ?? '/'
  }

  async function begin(path: string): Promise<void> {
    // A screen may have loaded as a new document.
    await page.waitForFunction(() => 'router' in window)
    await page.evaluate((href) => void window.router.push(href as '/a'), path)
  }

  /** Waits for a page after an action, and records how it arrived. */
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
    /** The page to which the last load has led, or a screen if it has no heading. */
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
    /** Sets the current page after a screen was shown, because the next load starts there. */
    setAt(path: string): void {
      at = path
    },
  }
}

/**
 * Waits for the code that counts loads, which a page loads when it is idle, and for its first report.
 */
export async function counted(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isPainted = performance.getEntriesByName('first-contentful-paint').length > 0
    const resources = performance.getEntriesByType('resource')
    // Beacons that an earlier page could not send.
    const isSent = localStorage.getItem('waymark-arrivals') === null
    // When it starts, the recorder loads the code of vitals last.
    return isPainted && isSent && resources.some(({ name }) => /vitals-/.test(name))
  })
  // Time for its observer of paints to run.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
}

type Seen = { readonly documentId: number; readonly notices: number }

/** Returns the pages and screens that a person has seen in this tab. */
function look(page: Page): Promise<Seen> {
  return page.evaluate(() => ({
    documentId: performance.timeOrigin,
    notices: Number(sessionStorage.getItem('notices')),
  }))
}

/** Counts the notices that appear in a tab. Runs in each document. */
export function noteNotices(): void {
  let isVisible = false
  new MutationObserver(() => {
    const wasVisible = isVisible
    const text = document.querySelector('[data-waymark-notice]')?.textContent ?? ''
    // A notice about missing code isn't about a load.
    isVisible = text !== '' && !text.startsWith('Part of this page')
    if (!isVisible || wasVisible) return
    sessionStorage.setItem('notices', String(Number(sessionStorage.getItem('notices')) + 1))
  }).observe(document, { childList: true, subtree: true })
}
