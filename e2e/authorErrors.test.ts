import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { root } from '../scripts/workspace/paths.mjs'
import { authorErrors } from './harness/authorErrors.ts'
import { sharedBrowser } from './harness/browser.ts'
import { describeModes } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { resultsFolder } from './harness/paths.ts'

/**
 * Returns the text, the file and the number of open overlays. The strings are empty if there is no
 * overlay.
 */
async function overlayOf(page: Page): Promise<{ text: string; file: string; count: number }> {
  const read = page.evaluate(() => {
    const all = document.querySelectorAll('vite-error-overlay')
    const root = all[0]?.shadowRoot
    // `innerText` has the line breaks that a person sees, but `textContent` has none.
    // biome-ignore lint/performance/useDomNodeTextContent: see above
    const text = root?.querySelector<HTMLElement>('.window')?.innerText ?? ''
    const file = root?.querySelector('.file')?.textContent ?? ''
    return { text, file, count: all.length }
  })
  // Reading fails while a new document replaces the page.
  return read.catch(() => ({ text: '', file: '', count: 0 }))
}

/** Waits until the page looks as it did before the mistake. */
async function mended(page: Page): Promise<void> {
  const isBack = () =>
    page
      .evaluate(() => {
        const [heading, button] = ['h1', 'button'].map((name) => document.querySelector(name))
        const color = heading && getComputedStyle(heading).color
        const texts = [heading?.textContent, button?.textContent, color].join()
        return (
          texts === 'The page,Count 0,rgb(1, 2, 3)' && !document.querySelector('vite-error-overlay')
        )
      })
      .catch(() => false)
  await expect.poll(isBack).toBe(true)
}

function restore(path: string, text: string | null): void {
  if (text === null) rmSync(path, { force: true })
  else if (readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
}

/** Matches stack frames in the code of Vite, React and Waymark. */
const foreignFrame = /^\s+at .*(?:node_modules|node:|waymark\/dist)/m

test('the guide lists each of them', () => {
  const page = join(root, 'site/app/guide/errors-and-digests/page.mdx')
  const [, table = ''] = readFileSync(page, 'utf8').split('\n| mistake |')
  const named = [...table.matchAll(/^\| (?!-)([^|]+) \|/gm)].map(([, name]) => name)
  expect(named).toEqual(authorErrors.map(({ name }) => name))
})

describeModes('errors of the author', { app: 'authorErrors', modes: ['dev'] }, (served) => {
  // The overlay must stay open here, although Vite's client closes it when styles are updated, and
  // each edit updates Tailwind's styles.
  test('in a server file, after an update of the styles', async () => {
    const { page } = await openPage(served.app)
    let updates = 0
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).startsWith('{"type":"update"')) updates++
      }),
    )
    await page.goto('/')
    await hydratedElement(page.getByRole('button'))
    const path = join(served.app.root, 'app/page.tsx')
    const before = readFileSync(path, 'utf8')
    onTestFinished(() => restore(path, before))
    writeFileSync(path, before.replace('<h1>', '<h1 className="p-1">'))
    await expect.poll(() => page.locator('h1').getAttribute('class')).toBe('p-1')
    // Wait for the update, because the watcher may report one write as two changes, with an empty
    // file in between.
    await expect.poll(() => updates).toBeGreaterThan(0)
    const updatesBefore = updates
    writeFileSync(path, before.replace('<h1>', '<h1'))
    await expect.poll(() => updates).toBeGreaterThan(updatesBefore)
    const file = expect.stringMatching(/page\.tsx:7:11/)
    await expect.poll(() => overlayOf(page)).toMatchObject({ count: 1, file })
  })

  test('in a page that is corrected before the overlay has loaded', async () => {
    const path = join(served.app.root, 'app/page.tsx')
    const before = readFileSync(path, 'utf8')
    onTestFinished(() => restore(path, before))
    const { page } = await openPage(served.app)
    writeFileSync(path, before.replace('<h1>', '<h1>{missing}'))
    await expect.poll(async () => (await served.fetch('/')).status).toBe(500)
    const events: string[] = []
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => events.push(String(payload))),
    )
    const count = (event: string) => events.filter((each) => each.includes(event)).length
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/overlayParts/, async (route) => {
      await isReleased
      await route.continue()
    })
    const response = await page.goto('/', { waitUntil: 'commit' })
    expect(response?.status()).toBe(500)
    // Wait for the connection, because the server sends a change only to connected pages.
    await expect.poll(() => count('"connected"')).toBe(1)
    const changesBefore = count('waymark:changed')
    restore(path, before)
    await expect.poll(() => count('waymark:changed')).toBeGreaterThan(changesBefore)
    await expect.poll(async () => (await served.fetch('/')).status).toBe(200)
    release()
    await mended(page)
  })

  // Share the browser's cache between the mistakes, because a page of a dev server loads hundreds of
  // modules.
  let context: BrowserContext
  beforeAll(async () => {
    context = await (await sharedBrowser()).newContext({ baseURL: served.app.origin })
    context.setDefaultTimeout(40_000)
  })
  afterAll(() => context?.close())

  test.each(authorErrors)(
    '$name',
    async ({ name, file, wrong, message, place = /^/, frame, open }) => {
      const path = join(served.app.root, file)
      const before = existsSync(path) ? readFileSync(path, 'utf8') : null
      onTestFinished(() => restore(path, before))
      const page = await context.newPage()
      onTestFinished(() => page.close())
      await page.goto('/')
      await hydratedElement(page.getByRole('button'))
      const logged = served.app.logs().length

      const htmlOf = async () => (await served.fetch(open ?? '/')).text()
      const html = open && (await htmlOf())
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, wrong(before ?? ''))
      if (open) {
        await expect.poll(htmlOf).not.toBe(html)
        // Wait for the new route, too, because the document can change before the route exists.
        await expect.poll(async () => (await served.fetch(open)).status).not.toBe(404)
        await page.goto(open)
      }
      let overlay = await overlayOf(page)
      const expectedOverlay = {
        count: 1,
        text: expect.stringMatching(message),
        file: expect.stringMatching(place),
      }
      await expect
        .poll(async () => {
          overlay = await overlayOf(page)
          return overlay
        })
        .toMatchObject(expectedOverlay)
      expect(overlay.text).not.toMatch(/\d of \d/)
      expect(overlay.text).not.toMatch(foreignFrame)
      if (frame) expect(overlay.text).toMatch(frame)
      // biome-ignore lint/performance/useDomNodeTextContent: leaves out hidden text
      const pageText = () => page.evaluate(() => document.body.innerText).catch(() => '')
      await expect.poll(pageText).not.toBe('')
      const terminal = () => served.app.logs().slice(logged)
      await expect.poll(terminal).toMatch(message)
      expect(terminal().match(new RegExp(message, 'g'))).toHaveLength(1)
      expect(terminal()).not.toMatch(foreignFrame)
      expect(terminal()).toMatch(place)

      const text = terminal()
      // Wait, because the watcher treats two changes of a file within 50 ms as one. Nobody edits
      // that fast.
      await page.waitForTimeout(100)
      const startedAtMs = performance.now()
      restore(path, before)
      // If the mistake was on a page of its own, `restore` has deleted that page.
      if (open && open !== '/') await page.goto('/')
      await mended(page)
      const recoveredMs = Math.round(performance.now() - startedAtMs)
      const plain = (text: string) => text.replaceAll(served.app.root, '')
      const row = JSON.stringify([name, plain(overlay.text), plain(text), String(recoveredMs)])
      mkdirSync(resultsFolder, { recursive: true })
      writeFileSync(join(resultsFolder, 'authorErrors.jsonl'), `${row}\n`, { flag: 'a' })
    },
  )
})
