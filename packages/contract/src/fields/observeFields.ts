import { launchBrowser, type TestRequest } from '@waymark/testing'
import { browserCookies, createTestApp } from '@waymark/testing/build'
import type { Browser, Page } from 'playwright-core'
import type { BuildFacts } from '../build/buildFacts.ts'
import { anonymous, type ContractConfig } from '../config/contractConfig.ts'
import { createFindSamples } from '../probe/samples.ts'
import { type ComponentReads, readsEvent } from '../reads/recordReads.ts'
import { startDevServer } from './devServer.ts'

export type FieldsApp = {
  readonly root: string
  readonly facts: BuildFacts
  readonly config: ContractConfig
}

/**
 * Visits all pages in the dev server as all personas, with a browser.
 * @returns the fields that client components have read
 */
export async function observeFields({ root, facts, config }: FieldsApp): Promise<ComponentReads[]> {
  const served = await startDevServer(root, config.env)
  try {
    const browser = await launchBrowser()
    try {
      const findSamples = createFindSamples(config)
      const paths = facts.routes
        .filter(({ kind }) => kind === 'page')
        .flatMap((route) => findSamples(route).map(({ path }) => path))
      const app = createTestApp(served)
      const reads: ComponentReads[] = []
      for (const persona of [anonymous, ...Object.keys(config.personas ?? {})]) {
        const request = (await config.personas?.[persona]?.(app)) ?? {}
        const visitor = { origin: served.origin, request }
        const urls = paths.map((path) => served.origin + facts.basePath + path)
        reads.push(...(await visitPages(browser, visitor, urls)))
      }
      return reads
    } finally {
      await browser.close()
    }
  } finally {
    await served.stop()
  }
}

type Visitor = { readonly origin: string; readonly request: TestRequest }

async function visitPages(
  browser: Browser,
  { origin, request }: Visitor,
  urls: readonly string[],
): Promise<ComponentReads[]> {
  const context = await browser.newContext({
    serviceWorkers: 'block',
    extraHTTPHeaders: { ...request.headers },
  })
  try {
    const sent = request.cookies ?? {}
    // Many apps leave out the prefixes __Host- and __Secure- in development.
    const unprefixed = Object.entries(sent).map(([name, value]) => {
      return [name.replace(/^__(?:host|secure)-/i, ''), value] as const
    })
    const cookies = browserCookies(origin, { ...Object.fromEntries(unprefixed), ...sent })
    if (cookies.length > 0) await context.addCookies(cookies)
    const page = await context.newPage()
    const reads: ComponentReads[] = []
    for (const url of urls) reads.push(...(await visitPage(page, url)))
    return reads
  } finally {
    await context.close()
  }
}

const maxAttempts = 3
const settleWithinMs = 5_000

async function visitPage(page: Page, url: string): Promise<readonly ComponentReads[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await page.goto(url, { waitUntil: 'load' })
      // The target of a redirect is visited for its own route.
      if (response?.status() !== 200 || response.request().redirectedFrom() !== null) return []
      await waitForReact(page)
      return await page.evaluate(
        ([name]) => {
          const event = new CustomEvent(name, { detail: { reads: [] } })
          document.dispatchEvent(event)
          return event.detail.reads
        },
        [readsEvent] as const,
      )
    } catch (error) {
      // The dev server reloads a page if it finds a new package in it.
      if (attempt === maxAttempts) throw error
    }
  }
}

/** Waits until React has hydrated the page and its requests have ended. */
async function waitForReact(page: Page): Promise<void> {
  // A page without client components needs no React, and a live page never stops sending.
  const options = { timeout: settleWithinMs, polling: 100 }
  await page.waitForFunction(wakeReact, undefined, options).catch(() => {})
  await page.waitForLoadState('networkidle', options).catch(() => {})
}

/**
 * Makes the page load React, which otherwise waits for an interaction. Runs in the page, several
 * times, because nothing listens for the event at first.
 * @returns true if React has hydrated the page
 */
function wakeReact(): boolean {
  const form = document.createElement('form')
  form.setAttribute('data-waymark-form', '')
  document.documentElement.append(form)
  form.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  form.remove()
  return Object.keys(document.body).some((key) => key.startsWith('__reactFiber'))
}
