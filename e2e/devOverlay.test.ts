import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeModes } from './harness/describeModes.ts'
import { digestPattern, lookUp } from './harness/digests.ts'
import { hydrated } from './harness/hydrated.ts'
import { hydratedElement, openPage } from './harness/page.ts'

/** Returns the whole text of the overlay, or an empty string if no overlay is open. */
function overlayText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const root = document.querySelector('vite-error-overlay')?.shadowRoot
    // `innerText` has the line breaks that a person sees, but `textContent` has none.
    // biome-ignore lint/performance/useDomNodeTextContent: see above
    return root?.querySelector<HTMLElement>('.window')?.innerText ?? ''
  })
}

const closed = async (page: Page) => {
  await page.keyboard.press('Escape')
  await expect.poll(() => overlayText(page)).toBe('')
}

describeModes('the dev overlay', { app: 'errors', modes: ['dev'] }, (served) => {
  test('shows digest, code frame and causes, and links to editor and journal', async () => {
    const { page } = await openPage(served.app)
    const response = await page.goto('/page/throw')
    const digest = response?.headers()['x-waymark-digest'] ?? ''
    await expect.poll(() => overlayText(page)).toContain(`Digest ${digest}`)
    const text = await overlayText(page)
    expect(text).toMatch(/act\.ts:9:\d+/)
    expect(text).toContain("9 |     throw new Error('a secret of the server'")
    expect(text).toMatch(/app\/page\/\[what\]\/page\.tsx:4:\d+/)
    expect(text).toMatch(/caused by TypeError: what was behind it\n\s+at .*act\.ts:9:\d+/)
    const editorRequest = page.waitForRequest(/__open-in-editor\?file=/)
    await page.route('**/__open-in-editor**', (route) => route.fulfill({ status: 200 }))
    await page.locator('vite-error-overlay .file .file-link').first().click()
    expect(decodeURIComponent((await editorRequest).url())).toMatch(/act\.ts:9:\d+$/)
    const [journal] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Open in the journal' }).click(),
    ])
    await journal.getByText(`GET /page/throw`).waitFor()
    expect(await journal.locator('pre').textContent()).toContain('caused by TypeError')
    await journal.getByRole('link', { name: 'All errors' }).click()
    await journal.getByRole('link', { name: digest }).waitFor()
  })

  test('stays open: writing the journal is not a change of the app', async () => {
    const { page } = await openPage(served.app)
    let documents = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents++
    })
    await page.goto('/page/throw')
    await expect.poll(() => overlayText(page)).toContain('Digest')
    // Wait until the journal is written and the watcher could have noticed the new file.
    await page.waitForTimeout(1_500)
    expect(documents).toBe(1)
  })

  test('shows only the errors of its own page', async () => {
    for (const path of ['/page/throw', '/_waymark/data/page/throw.rsc']) await served.fetch(path)
    const { page } = await openPage(served.app)
    await page.goto('/landing')
    await hydrated(page)
    expect(await overlayText(page)).toBe('')
    const { page: other } = await openPage(served.app)
    await other.goto('/')
    await hydrated(other)
    await other.getByRole('link', { name: 'broken' }).dispatchEvent('click')
    await expect.poll(() => overlayText(other)).toContain('a secret of the server')
    expect(await overlayText(other)).toMatch(/nest\/\[what\]\/page\.tsx:4:\d+/)
    expect(await overlayText(page)).toBe('')
  })

  test('explains a hydration mismatch with a diff', async () => {
    const { page } = await openPage(served.app, { colorScheme: 'light' })
    await page.goto('/mismatch')
    await expect.poll(() => overlayText(page)).toMatch(/hydrat/i)
    const lines = async (kind: string) =>
      (await page.locator(`vite-error-overlay .waymark-${kind}`).allTextContents()).join('')
    expect(await lines('client')).toContain('written by the browser')
    expect(await lines('server')).toContain('written by the server')
    expect(await overlayText(page)).toMatch(/rendered by\n[\s\S]*at Side /)
  })

  test('shows errors of the browser, with the lines of their files', async () => {
    const { page } = await openPage(served.app)
    await page.goto('/browser')
    await (await hydratedElement(page.getByRole('button', { name: 'Handler' }))).click()
    await expect.poll(() => overlayText(page)).toMatch(/buttons\.tsx:16:\d+/)
    expect(await overlayText(page)).toContain("16 |           throw new Error('thrown in an event")
    await closed(page)
    await page.getByRole('button', { name: 'Reject' }).click()
    await expect.poll(() => overlayText(page)).toMatch(/buttons\.tsx:23:\d+/)
    await page.getByRole('button', { name: 'Next error' }).isVisible()
    await page.getByRole('button', { name: 'Previous error' }).click()
    await expect.poll(() => overlayText(page)).toMatch(/buttons\.tsx:16:\d+/)
    await closed(page)
    await page.getByRole('button', { name: 'Render' }).click()
    await expect.poll(() => overlayText(page)).toMatch(/rendered by\n[\s\S]*browser\/buttons\.tsx/)
    const digest = digestPattern.exec(await overlayText(page))?.[0] ?? ''
    const entry = await lookUp(served, digest)
    expect(entry.code).toMatchObject({ line: 7 })
    expect(entry.code.file).toMatch(/app\/browser\/buttons\.tsx$/)
  })

  test('can be turned off, and ignores an unknown digest', async () => {
    const missing = await served.fetch('/_waymark/dev/errors/0000-0000-000')
    expect(missing.status).toBe(404)
    expect((await served.fetch('/_waymark/dev/errors/..%2f..%2fpackage')).status).not.toBe(200)
  })
})
