import type { BrowserContextOptions, Page } from 'playwright-core'
import { hydrated } from './hydrated.ts'
import { openPage } from './page.ts'

/** Path at which live pages wait for changes. */
export const livePath = '/_waymark/live'

export type Place = { readonly origin: string }

export const add = (app: Place, text: string) =>
  fetch(`${app.origin}/api/notes`, { method: 'POST', body: text })

/** Invalidates a tag immediately, so that no stale value is served. */
export const end = (app: Place, tag: string) =>
  fetch(`${app.origin}/api/end`, { method: 'POST', body: tag })

export const notes = (page: Page) => page.getByRole('listitem').allTextContents()

/**
 * Counts two kinds of requests that a page makes: requests for its data, and requests that wait for
 * changes.
 */
export function watch(page: Page) {
  const requests = { data: 0, waits: 0 }
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const isPrefetch = 'waymark-prefetch' in request.headers()
    if (pathname.startsWith('/_waymark/data/') && !isPrefetch) requests.data++
    if (pathname === livePath && request.postData()?.includes('"wait":true')) requests.waits++
  })
  return requests
}

export const isWaiting = (page: Page) =>
  page.waitForResponse(
    (response) =>
      response.url().endsWith(livePath) &&
      response.headers()['content-type'] === 'text/event-stream',
  )

/** Opens a live page, and waits until it has an open event stream. */
export async function open(app: Place, path: string, options?: BrowserContextOptions) {
  const { page, ...visit } = await openPage(app, options)
  const requests = watch(page)
  const waiting = isWaiting(page)
  await page.goto(path)
  await waiting
  await hydrated(page)
  return { ...visit, page, requests }
}
