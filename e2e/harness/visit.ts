import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
// Declares the values that the fixture puts on `window` for the tests.
import type {} from '../fixtures/navigation/app/_ui/tools.tsx'
import type { Served } from './describeModes.ts'
import { hydrated } from './hydrated.ts'
import { openPage, type Visit } from './page.ts'

/** A visit to the fixture `navigation`. */
export type NavigationVisit = Visit & {
  /** Requests for page data in the form `/a.rsc?query`, without prefetches. */
  readonly requests: readonly string[]
  /** Clicks a link. */
  link(name: string): Promise<void>
  /** Id of the document that the visit opened. */
  readonly first: number
}

/** Finds a heading by its complete text. */
export function heading(page: Page, name: string): Locator {
  return page.getByRole('heading', { name, exact: true })
}

/** Returns the path and query of the page's URL. */
export function pathOf(page: Page): string {
  return page.url().slice(new URL(page.url()).origin.length)
}

/** Returns a number that identifies the current document. */
export function documentId(page: Page): Promise<number> {
  return page.evaluate(() => window.documentId)
}

/** Opens a page of the fixture, and waits until the page's router has started. */
export async function visit(
  app: { readonly origin: string } | Served['app'],
  path: string,
): Promise<NavigationVisit> {
  const opened = await openPage(app)
  const { page } = opened
  const requests: string[] = []
  page.on('request', (request) => {
    if ('waymark-prefetch' in request.headers()) return
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/_waymark/data')) requests.push(pathname.slice(14) + search)
  })
  await page.goto(path)
  await hydrated(page)
  // `window.router` queues navigations until the router has started. If that takes too long, the
  // browser loads the document instead. The started router restores scroll positions itself.
  await page.waitForFunction(() => 'router' in window && history.scrollRestoration === 'manual')
  const link = (name: string) => page.getByRole('link', { name, exact: true }).click()
  return { ...opened, requests, link, first: await documentId(page) }
}

/** Closes the dev server's error overlay, if it is open. */
export async function closeOverlay(page: Page, isOpen: boolean): Promise<void> {
  const overlay = page.locator('vite-error-overlay')
  if (isOpen) await overlay.waitFor()
  const close = async () => {
    // Click outside the overlay, because the Escape key would also close the notice.
    if (isOpen) await page.mouse.click(2, 2)
    return overlay.count()
  }
  await expect.poll(close).toBe(0)
}
