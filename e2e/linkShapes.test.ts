import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { linkShapes } from './fixtures/navigation/app/shapes/linkShapes.ts'
import { describeApp } from './harness/describeModes.ts'
import { hydrated } from './harness/hydrated.ts'
import { openPage } from './harness/page.ts'

/** Pages that walk the table at the same time. */
const walkers = 4

describeApp('links of all shapes', { app: 'navigation' }, (served) => {
  test('lead where they lead without scripts', async () => {
    const names = Object.keys(linkShapes)
    const parts = Array.from({ length: walkers }, (_, at) =>
      names.filter((_, index) => index % walkers === at),
    )
    const [withScripts, without] = await Promise.all(
      [true, false].map(async (javaScriptEnabled) => {
        const walks = parts.map((part) => walk(part, javaScriptEnabled))
        return Object.assign({}, ...(await Promise.all(walks)))
      }),
    )
    const expected: Record<string, unknown> = {}
    for (const name of names) {
      const isPage = linkShapes[name]?.follows === 'page'
      expected[name] = { ...without[name], follows: isPage ? 'page' : 'browser' }
    }
    expect(withScripts).toEqual(expected)
  }, 90_000)

  async function walk(names: readonly string[], javaScriptEnabled: boolean) {
    const { page } = await openPage(served.app, { javaScriptEnabled })
    const results: Record<string, unknown> = {}
    for (const name of names) results[name] = await click(page, name, javaScriptEnabled)
    return results
  }
})

async function click(page: Page, name: string, hasRouter: boolean) {
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
  let opened: string | null = null
  let hasDownload = false
  const onRequest = (request: { url(): string; headers(): Record<string, string> }) => {
    const isData = new URL(request.url()).pathname.startsWith('/_waymark/data')
    const isPrefetch = 'waymark-prefetch' in request.headers()
    if (isData && isPrefetch) prefetched = true
    if (isData && !isPrefetch) isRequested = true
  }
  const onPopup = async (popup: Page) => {
    await popup.waitForLoadState().catch(() => {})
    opened = pathOf(popup)
    await popup.close()
  }
  const onDownload = () => {
    hasDownload = true
  }
  page.on('request', onRequest).on('popup', onPopup).on('download', onDownload)
  await page
    .locator('#it')
    .scrollIntoViewIfNeeded()
    .catch(() => {})
  const box = await page.locator('#it').boundingBox()
  if (box) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await page.waitForTimeout(400)
  page.off('request', onRequest).off('popup', onPopup).off('download', onDownload)
  const scrolled = await page.evaluate(() => Math.round(window.scrollY / 10)).catch(() => 0)
  const isSameDocument = await page.evaluate(() => window.documentId === 1).catch(() => false)
  // A page that was prefetched as the pointer came needs no request of its own.
  const hasArrived = prefetched && new URL(page.url()).pathname !== '/shapes'
  const follows = isSameDocument && (isRequested || hasArrived) ? 'page' : 'browser'
  return { url: pathOf(page), opened, hasDownload, scrolled, follows }
}

function pathOf(page: Page): string {
  const url = new URL(page.url())
  return url.protocol === 'http:' ? url.href.slice(url.origin.length) : url.protocol
}
