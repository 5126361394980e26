import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isHydrated } from './hydrated.ts'
import { openPage } from './page.ts'
import { wake } from './wake.ts'

/** Waits until the browser entry has run. In development, it runs after the page has loaded. */
export const entered = (page: Page) => page.waitForFunction(() => history.state?.waymark)

/**
 * True if a script contains React. A page without client components doesn't load such a script
 * before it is idle.
 */
export const isReact = (url: string) => /\/(?:start|startReact)[-.]|react-dom/.test(url)

/** Opens a page in a browser that is never idle, and marks the page's document. */
export async function visitPlain(app: { readonly origin: string }, path: string) {
  const visited = await openPage(app)
  const { page } = visited
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  await page.goto(path)
  await entered(page)
  await page.evaluate(() => document.documentElement.setAttribute('data-same', ''))
  const isSameDocument = () => page.locator('html[data-same]').count()
  return { ...visited, scripts, isSameDocument }
}

/**
 * Requests React's modules once, because a dev server needs seconds to transform them at the first
 * request.
 */
export async function warmUp(app: { readonly origin: string }): Promise<void> {
  const { page } = await visitPlain(app, '/')
  await wake(page)
  await expect.poll(() => isHydrated(page)).toBe(true)
  await page.close()
}
