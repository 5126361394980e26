import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { App } from './app.ts'
import { isHydrated } from './hydrated.ts'
import { openPage } from './page.ts'
import { visitPlain } from './plainVisit.ts'

type Sizes = { readonly pageJs: number; readonly sharedJs: number; readonly idleJs: number }

/** Reads the sizes that the build measured for a page. */
export function measuredSizes({ root }: App, pattern: string): Sizes {
  const text = readFileSync(join(root, '.waymark/build.json'), 'utf8')
  const { routes }: { routes: { pattern: string; sizes: Sizes }[] } = JSON.parse(text)
  const route = routes.find((each) => each.pattern === pattern)
  if (!route) throw new Error(`The build has no route ${pattern}.`)
  return route.sizes
}

/** Expects that a browser loads as much JavaScript as the build measured, before and after idle. */
export async function expectMeasuredSizes(
  app: App,
  path: string,
  { isInteractive }: { readonly isInteractive: boolean },
): Promise<void> {
  const { pageJs, sharedJs, idleJs } = measuredSizes(app, path)
  const { page } = await visitPlain(app, path)
  if (isInteractive) await expect.poll(() => isHydrated(page)).toBe(true)
  expectNear(await scriptBytes(page), pageJs + sharedJs)

  const { page: idlePage } = await openPage(app)
  await idlePage.goto(path)
  // Scripts load in several steps. The last step may load less than the tolerance.
  await expect.poll(() => scriptBytes(idlePage)).toBeGreaterThan(idleJs * 0.97)
  await idlePage.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  expectNear(await scriptBytes(idlePage), idleJs)
}

/** Returns the compressed size of the scripts that a page has loaded. */
function scriptBytes(page: Page): Promise<number> {
  return page.evaluate(() => {
    const bytes = new Map<string, number>()
    for (const entry of performance.getEntriesByType('resource')) {
      if (!(entry instanceof PerformanceResourceTiming)) continue
      if (/\.js(?:\?|$)/.test(entry.name)) bytes.set(entry.name, entry.encodedBodySize)
    }
    return [...bytes.values()].reduce((sum, each) => sum + each, 0)
  })
}

function expectNear(bytes: number, measured: number): void {
  const difference = `the browser loaded ${bytes} bytes, the build measured ${measured}`
  expect(Math.abs(bytes - measured) / measured, difference).toBeLessThan(0.03)
}
