import type { BrowserContext, Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { type LinkShape, linkShapes } from './fixtures/navigation/app/shapes/linkShapes.ts'
import { describeApp } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

/**
 * Number of page pairs that test the table at the same time. One page of a pair has scripts, the
 * other doesn't.
 */
const walkers = 4

/** Milliseconds without further effects after which the outcome of a click is final. */
const quietMs = 300

// On a busy machine, page data may take longer than the default limit, after which the router loads
// the document.
const files = {
  'vite.config.ts': `import { waymark } from 'waymark/vite'
export default { plugins: [waymark({ navigation: { timeoutMs: 60_000 } })] }
`,
}

type Outcome = {
  readonly url: string
  readonly opened: string
  readonly hasDownload: boolean
  readonly scrolled: number
  readonly follows: LinkShape['follows']
}

/**
 * A click and its outcome. Each click has its own page, so that a late window or download can't
 * belong to a different shape.
 */
type Click = { read(): Promise<Outcome>; close(): Promise<void> }

describeApp('links of all shapes', { app: 'navigation', files }, (served) => {
  test('have the same effect as without scripts', async () => {
    const names = Object.keys(linkShapes)
    const parts = Array.from({ length: walkers }, (_, at) =>
      names.filter((_, index) => index % walkers === at),
    )
    await Promise.all(parts.map(walk))
  }, 240_000)

  async function walk(names: readonly string[]) {
    const { page: scripted } = await openPage(served.app)
    const { page: plain } = await openPage(served.app, { javaScriptEnabled: false })
    for (const name of names) {
      const [actual, reference] = await Promise.all([
        click(scripted.context(), name, true),
        click(plain.context(), name, false),
      ])
      // Poll, because the two pages of a pair scroll and load at different speeds.
      const differences = async () =>
        differencesOf(name, await actual.read(), await reference.read())
      await expect.poll(differences, { message: name }).toEqual({})
      await scripted.waitForTimeout(quietMs)
      // Poll again, because one page may still scroll or load. A late effect of a click stays.
      await expect.poll(differences, { message: `${name}, later` }).toEqual({})
      await Promise.all([actual.close(), reference.close()])
    }
  }
})

/** Clicks a link shape, and waits for the effect that the table lists. */
async function click(context: BrowserContext, name: string, hasRouter: boolean): Promise<Click> {
  const page = await context.newPage()
  await page.goto(`/shapes?${new URLSearchParams({ shape: name })}`)
  if (hasRouter) {
    await hydrated(page)
    await page.waitForFunction(() => 'router' in window)
    await page.evaluate(() => {
      window.documentId = 1
    })
  }
  let isRequested = false
  let prefetched = false
  const windows: Page[] = []
  let hasDownload = false
  let hasNavigated = false
  page
    .on('request', (request: Request) => {
      const isData = new URL(request.url()).pathname.startsWith('/_waymark/data')
      const isPrefetch = 'waymark-prefetch' in request.headers()
      if (isData && isPrefetch) prefetched = true
      if (isData && !isPrefetch) isRequested = true
    })
    .on('popup', (opened) => {
      windows.push(opened)
    })
    .on('download', () => {
      hasDownload = true
    })
    .on('framenavigated', () => {
      hasNavigated = true
    })
  const target = page.locator('#it')
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error(`"${name}" has no box to click.`)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)

  const effects: Readonly<Record<LinkShape['effect'], () => boolean>> = {
    navigates: () => hasNavigated,
    'opens a window': () => windows.length > 0,
    downloads: () => hasDownload,
    nothing: () => true,
  }
  const { effect = 'nothing' } = linkShapes[name] ?? {}
  await expect.poll(effects[effect], { message: `${name}: ${effect}` }).toBe(true)
  await page.waitForLoadState()
  for (const opened of windows) await opened.waitForLoadState()
  return { read, close }

  async function read(): Promise<Outcome> {
    const scrolled = await page.evaluate(() => Math.round(window.scrollY / 10)).catch(() => 0)
    const isSameDocument = await page.evaluate(() => window.documentId === 1).catch(() => false)
    // A page that was prefetched when the pointer arrived needs no request after the click.
    const hasArrived = prefetched && new URL(page.url()).pathname !== '/shapes'
    const follows = isSameDocument && (isRequested || hasArrived) ? 'page' : 'browser'
    return {
      url: pathOf(page),
      opened: windows.map(pathOf).join(' '),
      hasDownload,
      scrolled,
      follows,
    }
  }

  async function close() {
    for (const opened of windows) await opened.close()
    await page.close()
  }
}

/**
 * Lists the differences between a click with scripts and a click without scripts. Without scripts,
 * the browser itself follows each link.
 */
function differencesOf(name: string, actual: Outcome, reference: Outcome) {
  const expected = { ...reference, follows: linkShapes[name]?.follows }
  const pairs = Object.entries(expected).map(
    ([field, value]) =>
      [field, { actual: actual[field as keyof Outcome], expected: value }] as const,
  )
  return Object.fromEntries(pairs.filter(([, pair]) => pair.actual !== pair.expected))
}

/**
 * Returns the URL without its origin, or only the scheme if the browser is not on a page of the
 * app.
 */
function pathOf(page: Page): string {
  const { protocol, host, href } = new URL(page.url())
  return protocol === 'http:' ? href.slice(href.indexOf(host) + host.length) : protocol
}
