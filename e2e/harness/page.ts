import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { sharedBrowser } from './browser.ts'
import { resultsFolder } from './paths.ts'
import { wake } from './wake.ts'

/** A page in its own browser context. The context is closed when the test ends. */
export type Visit = {
  readonly page: Page
  /**
   * Warnings and errors of the console, and uncaught exceptions, in the form `error: text (url)`.
   */
  readonly complaints: readonly string[]
  /**
   * Fails if the console has shown a warning or an error.
   * @param except patterns for complaints that the test provokes
   */
  expectQuietConsole(except?: readonly RegExp[]): void
}

/** Matches a warning that only a dev server on a busy machine causes. The page still works. */
const isBusy = /^warning: The code of a component did not arrive in time, perhaps because the dev/

/**
 * Opens a page, whose relative URLs lead to the app.
 * @param app an app, or a proxy in front of it
 * @param options options of the browser context, such as `{ javaScriptEnabled: false }`
 */
export async function openPage(
  app: { readonly origin: string },
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const browser = await sharedBrowser()
  return openPageIn(await browser.newContext({ baseURL: app.origin, ...options }))
}

/** Opens a page in a context, which is closed when the test ends. */
export async function openPageIn(context: BrowserContext): Promise<Visit> {
  // Keep this timeout shorter than a test's time limit, so that the error shows the locator for
  // which the test waited.
  context.setDefaultTimeout(40_000)
  // Allow more time for navigations, because the first page of a dev server waits until all its
  // modules are transformed.
  context.setDefaultNavigationTimeout(60_000)
  const page = await context.newPage()
  const complaints = recordComplaints(page)
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await takeScreenshot(page, task.name)
    // Drop requests that the test has delayed and not released.
    await page.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => {})
    await context.close()
  })
  return {
    page,
    complaints,
    expectQuietConsole(except = []) {
      const allowed = [...except, isBusy]
      const unexpected = complaints.filter((text) => !allowed.some((pattern) => pattern.test(text)))
      expect(unexpected, 'warnings and errors in the console').toEqual([])
    },
  }
}

/**
 * Waits until React has hydrated an element, because a click before that would be lost.
 * @returns the same locator, to act on
 */
export async function hydratedElement(locator: Locator): Promise<Locator> {
  // When React hydrates an element, it stores the props on the element.
  const isHydrated = async () => {
    await wake(locator.page())
    return locator.evaluate((element) =>
      Object.keys(element).some((key) => key.startsWith('__reactProps')),
    )
  }
  await expect.poll(isHydrated, { message: `hydration of ${locator}` }).toBe(true)
  return locator
}

function recordComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    const type = message.type()
    if (type !== 'warning' && type !== 'error') return
    // Ignore a missing favicon, which the browser requests if the app doesn't specify an icon.
    if (message.location().url.endsWith('/favicon.ico')) return
    complaints.push(`${type}: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complaints.push(`exception: ${error.stack ?? error.message}`))
  return complaints
}

async function takeScreenshot(page: Page, testName: string) {
  const name = `${testName.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 80)}-${Date.now()}.png`
  // Ignore a failed screenshot, because the test's own failure is more important. A page that
  // crashed or hangs can't be captured.
  await page.screenshot({ path: join(resultsFolder, name), timeout: 5000 }).catch(() => {})
}
