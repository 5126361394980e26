import { describe, expect, test } from 'vitest'
import { documentReaders } from '../scripts/architecture/documentReaders.ts'
import { forgeries } from './fixtures/injected/app/_lib/forgeries.ts'
import { describeApp } from './harness/describeModes.ts'
import { hydratedElement, openPage } from './harness/page.ts'
import { heading } from './harness/visit.ts'

declare global {
  interface Window {
    forged?: string
    scriptRuns?: number
    isFirst?: boolean
  }
}

test('each call that reads from a document has a forgery', () => {
  const used = Object.entries(documentReaders).flatMap(([guard, files]) =>
    Object.values(files).flatMap((calls) =>
      Object.entries(calls).flatMap(([call, names]) => {
        if (!guard.startsWith('nothing')) expect(names, call).not.toEqual([])
        return names
      }),
    ),
  )
  expect(used.filter((name) => !Object.hasOwn(forgeries, name))).toEqual([])
})

describeApp('injected HTML of an attacker', { app: 'injected' }, (served) => {
  // Test static pages only in production, because a dev server renders each page for each request.
  const kinds = ['whole', 'streamed', ...(served.mode === 'dev' ? [] : ['static', 'partial'])]
  describe.each(kinds)('in a page that is %s', (kind) => {
    test.each(Object.keys(forgeries))("can't act as %s", async (forgery) => {
      const { page } = await openPage(served.app)
      await page.goto(`/${kind}/${forgery}`)
      await page.evaluate(() => {
        window.isFirst = true
      })
      await heading(page, kind[0]?.toUpperCase() + kind.slice(1)).waitFor()
      const forged = () => page.evaluate(() => [window.isFirst, window.forged])
      await expect.poll(() => page.evaluate(() => window.scriptRuns)).toBe(1)
      expect(await forged()).toEqual([true, undefined])
      // In development, an overlay reports HTML that the browser's parser changes.
      if (served.mode === 'dev') return
      const isStreamed = kind === 'streamed' || kind === 'partial'
      // HTML that closes its parent elements may duplicate a part of the page. React hydrates the
      // last copy.
      if (isStreamed) await page.locator('#late #count').last().waitFor()
      const counter = page.locator('#count').last()
      await expect
        .poll(async () => {
          await hydratedElement(counter)
          await counter.click()
          return counter.textContent()
        })
        .toMatch(/count [1-9]/)
      await page.getByRole('link', { name: 'Other' }).click()
      await heading(page, 'Other').waitFor()
      expect(await forged()).toEqual([true, undefined])
    })
  })
})
