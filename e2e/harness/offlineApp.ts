import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { type App, startApp } from './app.ts'
import { freePort } from './freePort.ts'
import { heading } from './visit.ts'
import { wake } from './wake.ts'

/** An app whose server can be stopped, and started again with the same URL. */
export type OfflineApp = {
  readonly origin: string
  end(): Promise<void>
  /**
   * Starts the server again.
   * @param files files to change for a new build
   */
  again(files?: Readonly<Record<string, string>>): Promise<void>
}

/** Builds and serves the fixture `offline`. */
export async function startOfflineApp(
  files: Readonly<Record<string, string>> = {},
): Promise<OfflineApp> {
  const port = await freePort()
  let served: App | null = null
  const again = async (next = files) => {
    served = await startApp({ app: 'offline', mode: 'production', files: next, port })
  }
  const end = async () => {
    await served?.stop()
    served = null
  }
  await again()
  onTestFinished(end)
  return { origin: `http://localhost:${port}`, end, again }
}

type CachedPage = { readonly url: string; readonly files: readonly [path: string, bytes: number][] }

function cachedPages(page: Page): Promise<CachedPage[]> {
  return page.evaluate(async () => {
    const pages: CachedPage[] = []
    for (const name of await caches.keys()) {
      for (const response of await (await caches.open(name)).matchAll()) {
        const entry = JSON.parse(
          decodeURIComponent(response.headers.get('waymark-saved') ?? 'null'),
        )
        if (entry?.files) pages.push(entry)
      }
    }
    return pages
  })
}

/**
 * Returns the sorted paths of all cached pages. A path that several builds have cached occurs
 * several times.
 */
export async function cachedPaths(page: Page): Promise<string[]> {
  return (await cachedPages(page)).map(({ url }) => url).sort()
}

/** Returns the paths of the scripts, styles and images that are cached for pages. */
export async function cachedFiles(page: Page): Promise<string[]> {
  return (await cachedPages(page)).flatMap(({ files }) => files.map(([path]) => path))
}

/** Waits until a page is cached. */
export async function untilCached(page: Page, path: string): Promise<void> {
  await expect.poll(() => cachedPaths(page), { message: `cached: ${path}` }).toContain(path)
}

/**
 * Opens a page by its URL, and waits until the page is cached. A page without client components
 * loads the offline package only when the page is idle or used, and it may take ten seconds until
 * the browser considers the page idle.
 */
export async function see(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await wake(page)
  await untilCached(page, path)
}

/** Opens a page by its URL, follows a link to `/`, and waits until both pages are cached. */
export async function seeAndLeave(page: Page, path: string): Promise<void> {
  await see(page, path)
  await page.getByRole('link', { name: '/', exact: true }).click()
  await heading(page, 'Home').waitFor()
  await untilCached(page, '/')
}

/** Returns the line above a cached page that shows the page's age. */
export function ageLine(page: Page) {
  return page.locator('[data-waymark-notice]').getByText(/^As of .*\. No connection\.$/)
}

/**
 * Returns the caches and service workers of the offline package that still exist in the browser.
 */
export function leftOfOffline(page: Page) {
  return page.evaluate(async () => ({
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }))
}
